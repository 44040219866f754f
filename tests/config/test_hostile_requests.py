"""What no browser and no partner sends: answered with 4xx by Django, never with a crash."""

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "status"),
    [
        # Each list, with a date or an own field that is no filter of it, and with those that are.
        ("partners/auditevent/?at__year=99999", 400),
        ("partners/auditevent/?at__gte=9999-12-31T23:59:59-14:00", 400),
        ("partners/auditevent/?period=30&action=project&project=1", 200),
        ("partners/project/?state=closed", 200),
        ("assessments/attempt/?student__project__created_at__year=99999", 400),
        ("assessments/attempt/?status=open&project=1", 200),
        ("assessments/assessmentlink/?issued_at__year=0", 400),
        ("assessments/student/?project=1", 200),
        ("assessments/item/?bank=1&section=interests&scale=realistic", 200),
        ("assessments/course/?is_active__exact=1&project=1", 200),
        # A NUL, which PostgreSQL does not take.
        ("login/%00", 400),
        ("partners/auditevent/?action=%00", 400),
        ("autocomplete/?app_label=partners&model_name=project&field_name=partner", 404),
    ],
)
def test_a_list_of_staff_takes_its_filters_and_refuses_every_other(admin_client, address, status):
    response = admin_client.get(f"/admin/{address}")

    assert response.status_code == status
    assert status == 200 or 'class="change-list"' not in response.text


class Unread:
    """A body that fails the test when it is read."""

    def read(self, *args):
        raise AssertionError("the body was read")

    readline = read


@pytest.mark.parametrize("length", ["5242881", "9" * 20, "9" * 5000, "-1", "junk"])
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/partner/get-redirect-url", "16384 bytes"),
        ("/admin/login/", "This page cannot be opened"),
        ("/nowhere", "This page could not be opened"),
    ],
)
def test_too_long_a_body_is_refused_unread(client, path, says, length):
    response = client.generic(
        "POST",
        path,
        content_type="multipart/form-data; boundary=b",
        **{"CONTENT_LENGTH": length, "wsgi.input": Unread()},
    )

    assert response.status_code == 400
    assert says in response.text
