"""Whatever an address asks of a list or form, the answer is a page, a refusal, or nothing found."""

import pytest

from tests.staff.rows import address, make_rows, staff_pages

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

BIG = "99999999999999999999999"
LIST = [
    *(f"p={BIG}", "p=-1", "p=" + "9" * 5000, "p=x", "all=", "o=99.-1.x", "o=-", "q=%27%22%25"),
    *("q=" + "x" * 3000, "e=1", f"e=1&p={BIG}", "_popup=1", "_facets=True", "_to_field=id"),
    *("_to_field=password", "id=1", "pk__in=1,x", "state=x", "role=x", "bank=x", "project=x"),
    *(f"project={BIG}", f"bank={BIG}", "is_active__exact=x", "section=%F0%9F%A6%8A", "period=x"),
    *("student__project__id__exact=x", f"project__id__exact={BIG}"),
    "_changelist_filters=x%3D1%26x%3D2",
]
CHANGE = [f"p={BIG}", "_changelist_filters=x%3D1%26x"]
BEGUN = ["abc", "%20", "1.5", "%ED%A0%80", "9" * 23, "9" * 5000, "-1"]


@pytest.mark.parametrize(
    ("pages", "queries", "allowed"),
    [(("_changelist", "_compare"), LIST, {200, 302, 400}), (("_change",), CHANGE, {200, 302})],
    ids=["lists", "rows"],
)
def test_no_query_breaks_a_list_or_the_page_of_a_row(admin_client, pages, queries, allowed):
    rows = make_rows()
    where = [address(*each, rows) for each in staff_pages() if each[0].endswith(pages)]

    found = {(path, q[:40]): admin_client.get(f"{path}?{q}") for path in where for q in queries}

    statuses = {asked: answer.status_code for asked, answer in found.items()}
    assert {asked: got for asked, got in statuses.items() if got not in allowed} == {}


@pytest.mark.usefixtures("project")
def test_no_query_breaks_a_form_begun_for_a_row(admin_client):
    begun = (
        "assessments/course/add/?project",
        "partners/project/add/?partner",
        "onboard/?partner_name",
    )

    for path in begun:
        for query in BEGUN:
            found = admin_client.get(f"/admin/{path}={query}").status_code
            assert found in {200, 404}, (path, query[:30])
