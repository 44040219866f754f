"""A database of each release, with all kinds of rows, upgraded to the present code, and used.

docs/upgrades.md promises what these tests check.
"""

import json
import re
from collections import Counter

import pytest
from django_otp.plugins.otp_totp.models import TOTPDevice
from standardwebhooks import Webhook

from tests.staff.accounts import CODE, LOGIN, code_of
from tests.support.backend import PartnerBackend
from tests.support.clients import Client, Gate, RemoteBrowser
from tests.support.ledger import Ledger
from tests.support.programs import manage
from tests.support.receiver import listening
from tests.support.server import DATABASE, Service
from tests.upgrades import dumps
from tests.upgrades.history import FIGURES, figures

pytestmark = pytest.mark.slow

NAMES = sorted(file.name.removesuffix(".sql.gz") for file in dumps.FOLDER.glob("*.sql.gz"))
if DATABASE == "sqlite":
    NAMES = [name for name in NAMES if name.endswith("sqlite")]
SCHEMA = {
    "sqlite": "SELECT name || ': ' || coalesce(sql, '') AS line FROM sqlite_master",
    "postgresql": """
        SELECT concat_ws(' ', table_name, column_name, udt_name, character_maximum_length,
            is_nullable, column_default, is_identity) AS line
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
    """,
}
# PostgreSQL writes the casts of a condition in another way once it was dumped and loaded.
CASTS = re.compile(r"::(character varying|text)(\[\])?|[()]")


class Upgraded(Service):
    """A service on the database of a dump, with all rows before and after the migrations."""

    def __init__(self, name, folder):
        super().__init__(name.rpartition(".")[2], folder)
        self.dump = name

    def prepare(self):
        self.facts = dumps.load(self.dump, self._database)
        self.before = self.all_rows()
        self.manage("migrate", "--noinput")
        self.after = self.all_rows()
        self.manage("check", "--database", "default")
        self.manage("load_items", "--make-current")

    def all_rows(self):
        """Return the rows of each table, without SQLite's own counters."""
        tables = [each for each in self._database.tables() if not each.startswith("sqlite_")]
        return {each: self.rows(f'SELECT * FROM "{each}"') for each in tables}

    def backend(self, credential=""):
        credential = credential or self.facts["credential"]
        return PartnerBackend(self.url, self.facts["project"], *credential.split(":"))

    def browser(self, **cookies):
        browser = RemoteBrowser(Client(Gate(self.port), Ledger()))
        browser.client.cookies.load(cookies)
        return browser


def schema(service):
    """Return a line for each column, constraint, index, trigger and function."""
    return {CASTS.sub("", row["line"]) for row in service.rows(SCHEMA[service.database_name])}


@pytest.fixture(scope="module", params=NAMES)
def service(request, tmp_path_factory):
    """Give a running service after an upgrade, with the shipped bank for new attempts."""
    service = Upgraded(request.param, tmp_path_factory.mktemp("upgraded"))
    fresh = Service(service.database_name, tmp_path_factory.mktemp("fresh"))
    try:
        fresh.prepare()  # collects the static files too
        service.fresh_schema = schema(fresh)
        service.prepare()
        service.start()
        yield service
    finally:
        fresh.close()
        service.close()


def test_the_migrations_lose_no_row_and_no_value(service):
    assert service.before.keys() <= service.after.keys()
    for table, rows in service.before.items():
        columns = [*(rows[0] if rows else ())]
        kept = [{name: row.get(name, "gone") for name in columns} for row in service.after[table]]
        lost = Counter(map(repr, rows)) - Counter(map(repr, kept))
        assert not lost, f"{table}: {lost.total()} of {len(rows)} rows, such as {[*lost][0]}"


def test_the_tables_are_those_of_a_new_database(service):
    assert schema(service) == service.fresh_schema


# Before the tests that go on from there.
def test_partners_and_staff_are_told_the_same_as_before(service):
    for path, fields, answer in service.facts["calls"]:
        said = service.backend().call(path.removeprefix("/partner/"), fields)
        assert includes(said, answer), (path, fields)
    browser = service.browser()
    browser.open(LOGIN)
    assert browser.post(LOGIN, service.facts["staff"]).location.startswith(CODE)
    browser.post(CODE, {"code": code_of(TOTPDevice(key=service.facts["app"]))})
    assert not Counter(service.facts["figures"]) - Counter(figures(browser.open(FIGURES).text))


def includes(new, old):
    """Return whether an answer says all that an earlier one did.

    Objects may have more members. A key signs the cursor; the sentences may be written better.
    """
    if isinstance(old, dict):
        names = old.keys() - {"NextCursor", "Reasons"}
        return all(name in new and includes(new[name], old[name]) for name in names)
    if isinstance(old, list):
        return len(new) == len(old) and all(map(includes, new, old))
    return new == old


def test_an_open_attempt_goes_on_to_its_end_with_its_bank(service):
    browser = service.browser(**service.facts["cookies"])
    page = browser.open(service.facts["open"])
    assert (page.status, page.place) == (200, service.facts["question"])

    assert browser.finish(page).name == "result"

    [said] = service.backend().attempts("open@example.com")
    assert said["Status"] == "Completed" and said["Recommendations"]
    assert service.call("tests.support.invariants", "violations()") == []


def test_an_unused_link_starts_and_a_private_link_opens(service):
    browser = service.browser()
    assert browser.start(service.facts["unused"]).name in {"section", "question"}
    assert browser.get(service.facts["private"]).status == 200


def test_every_stored_result_is_reproduced(service):
    assert service.manage("rescore", "--all") == ""


def test_a_token_is_rotated_and_an_ending_one_works(service):
    old = service.backend()
    made = json.loads(service.manage("rotate_token", old.token_id, "--json"))
    new = service.backend(f"{made['TokenId']}:{made['TokenSecret']}")
    for each in (new, old, service.backend(service.facts["ending credential"])):
        assert each.call("check-credentials", {})


def test_events_that_waited_are_sent_with_the_secret_of_before(service):
    waiting = service.rows(
        "SELECT event_id FROM assessments_webhookevent WHERE queued_at IS NOT NULL"
    )
    assert waiting
    with listening() as receiver:
        change = "UPDATE assessments_webhookendpoint SET paused_until = NULL, url = %s"
        service.rows(change, [receiver.url])
        # Only this mode sends to a local address.
        manage(service.environment | {"MODE": "test"}, "deliver_webhooks", "--once")
    assert {row["event_id"] for row in waiting} <= {*receiver.ids}
    for call in receiver.calls:
        assert Webhook(service.facts["webhook secret"]).verify(call.body, call.headers)
