"""Whatever an address asks of a list, the answer is a page, a refusal, or nothing found."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import ProjectFactory
from tests.staff.pages import address, staff_pages
from tests.staff.rows import make_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


HOSTILE = [
    *("p=99999999999999999999999", "p=-1", "p=" + "9" * 5000, "p=x", "all=", "o=99.-1.x", "o=-"),
    *("q=%27%22%25", "q=" + "x" * 3000, "e=1", "e=1&p=99999999999", "_popup=1", "_facets=True"),
    *("_to_field=id", "_to_field=password", "id=1", "pk__in=1,x", "state=x", "role=x", "bank=x"),
    *("project=x", "project=99999999999999999999999", "bank=99999999999999999999999"),
    *("is_active__exact=x", "section=%F0%9F%A6%8A", "student__project__id__exact=x", "period=x"),
    *("_changelist_filters=x%3D1%26x%3D2", "project__id__exact=99999999999999999999999"),
]


def test_no_query_breaks_a_list(admin_client: Client) -> None:
    rows = make_rows()
    surprises = []
    for name, route in staff_pages():
        if name.endswith(("_changelist", "_compare")):
            where = address(name, route, rows)
            for query in HOSTILE:
                status = admin_client.get(f"{where}?{query}").status_code
                if status not in {200, 302, 400}:
                    surprises.append((where, query[:40], status))

    assert not surprises, "\n".join(map(str, surprises))


@pytest.mark.parametrize("query", ["p=99999999999999999999999", "_changelist_filters=x%3D1%26x"])
def test_no_query_breaks_the_page_of_a_row(admin_client: Client, query: str) -> None:
    rows = make_rows()
    surprises = []
    for name, route in staff_pages():
        if name.endswith("_change"):
            where = address(name, route, rows)
            status = admin_client.get(f"{where}?{query}").status_code
            if status not in {200, 302}:
                surprises.append((where, status))

    assert not surprises, "\n".join(map(str, surprises))


@pytest.mark.parametrize(
    "query",
    [
        "page=99999999999999999999999",
        "page=" + "9" * 5000,
        "page=-1",
        "page=last",
        "term=" + "x" * 3000,
        "term=99999999999999999999999",
        "term='\"\\",
    ],
    ids=lambda query: query[:30],
)
@pytest.mark.parametrize(
    "field",
    [
        "app_label=partners&model_name=project&field_name=partner",
        "app_label=assessments&model_name=course&field_name=project",
        "app_label=assessments&model_name=answer&field_name=item",
        "app_label=partners&model_name=nothing&field_name=x",
        "app_label=partners",
    ],
)
def test_no_query_breaks_the_choice_of_a_row(admin_client: Client, field: str, query: str) -> None:
    ProjectFactory.create()

    response = admin_client.get(f"/admin/autocomplete/?{field}&{query}")

    assert response.status_code in {200, 403, 404}


@pytest.mark.parametrize(
    "field",
    [
        "app_label=assessments&model_name=assessment&field_name=student",
        "app_label=assessments&model_name=assessmentlink&field_name=assessment",
        "app_label=partners&model_name=auditevent&field_name=project",
        "app_label=admin&model_name=logentry&field_name=user",
    ],
)
def test_only_the_fields_of_our_forms_offer_rows(admin_client: Client, field: str) -> None:
    offered = "app_label=partners&model_name=project&field_name=partner"

    # 404 where a list cannot be searched at all
    assert admin_client.get(f"/admin/autocomplete/?{field}&term=a").status_code in {403, 404}
    assert admin_client.get(f"/admin/autocomplete/?{offered}&term=a").status_code == 200


@pytest.mark.parametrize("value", ["abc", "%20", "1.5", "%ED%A0%80", "9" * 23, "9" * 5000, "-1"])
@pytest.mark.parametrize(
    "address",
    [
        "/admin/assessments/course/add/?project=",
        "/admin/partners/project/add/?partner=",
        "/admin/onboard/?partner_name=",
    ],
)
def test_a_form_that_is_begun_for_a_made_up_row_is_shown(
    admin_client: Client, address: str, value: str
) -> None:
    assert admin_client.get(address + value).status_code in {200, 404}
