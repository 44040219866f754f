"""The attempt that a browser's cookie opens: PostgreSQL's constant SQL reads what the ORM reads."""

import pytest
from django.utils import timezone

from assessments.models import attempt_in_browser
from assessments.models.identity import secret_digest
from tests.factories import AssessmentFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("bank")]
TOKEN = "b" * 64


def test_it_reads_what_the_orm_reads_in_one_query(django_assert_num_queries):
    at = timezone.now().replace(microsecond=123457)
    stored = AssessmentFactory.create(browser_digest=secret_digest(TOKEN), moves=1, moved_at=at)

    with django_assert_num_queries(1):
        found = attempt_in_browser.attempt_in_browser(TOKEN)
        project = found.student.project

    expected = attempt_in_browser.by_the_orm(secret_digest(TOKEN))
    assert expected == stored
    for row, same in ((found, expected), (project, expected.student.project)):
        assert row.get_deferred_fields() == same.get_deferred_fields()
        loaded = {f.attname for f in row._meta.concrete_fields} - row.get_deferred_fields()
        assert {name: getattr(row, name) for name in loaded} == {
            name: getattr(same, name) for name in loaded
        }


@pytest.mark.parametrize("token", ["c" * 64, "", "b" * 63, f"{TOKEN} "])
def test_another_token_opens_nothing(token):
    AssessmentFactory.create(browser_digest=secret_digest(TOKEN))

    assert attempt_in_browser.attempt_in_browser(token) is None
