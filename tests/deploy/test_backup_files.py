"""Backups as files: which one counts, how long it is kept, and what the drill refuses at once.

deploy/drills/backups.py makes and restores one, and uses the service on it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deploy import backup
from deploy.drills import restore

DAY = timedelta(days=1)


def written(folder: Path, days_old: int = 0) -> Path:
    """Write what a backup leaves, and return its manifest."""
    at = datetime.now(UTC) - days_old * DAY
    name = f"assess-{at:%Y%m%dT%H%M%SZ}"
    dump = folder / f"{name}.dump"
    dump.write_bytes(b"a dump")
    told = {
        "dump": dump.name,
        "sha256": backup.checksum(dump),
        "bytes": 6,
        "taken_at": at.isoformat(),
        "rows": {},
    }
    (folder / f"{name}.json").write_text(json.dumps(told))
    return folder / f"{name}.json"


def test_the_newest_backups_are_kept_and_nothing_unfinished(tmp_path: Path) -> None:
    kept = [written(tmp_path, days) for days in (0, 1)]
    written(tmp_path, 2)
    (tmp_path / "assess-20200101T000000Z.dump").touch()
    (tmp_path / "notes.txt").touch()

    backup.forget_old(tmp_path, 2)

    left = {file.name for file in tmp_path.iterdir()}
    assert left == {"notes.txt"} | {
        manifest.with_suffix(kind).name for manifest in kept for kind in (".json", ".dump")
    }


def test_no_password_is_in_the_process_list() -> None:
    url = "postgres://assess:s3cret@10.0.0.21,10.0.0.22:5433/name?target_session_attrs=read-write"

    found = backup.environment(url)

    assert found["PGPASSWORD"] == "s3cret"
    assert found["PGHOST"] == "10.0.0.21,10.0.0.22"
    assert found["PGPORT"] == "5433"
    assert found["PGDATABASE"] == "name"
    assert found["PGTARGETSESSIONATTRS"] == "read-write"


def test_the_drill_takes_the_newest(tmp_path: Path) -> None:
    written(tmp_path, 3)
    newest = written(tmp_path)

    found = restore.newest(tmp_path, DAY)

    assert found["dump"] == newest.with_suffix(".dump").name


@pytest.mark.parametrize(("days", "reason"), [(None, "there is no backup"), (2, "old")])
def test_the_drill_refuses_no_backup_and_an_old_one(
    days: int | None, reason: str, tmp_path: Path
) -> None:
    if days is not None:
        written(tmp_path, days)

    with pytest.raises(restore.Failed, match=reason):
        restore.newest(tmp_path, DAY)


@pytest.mark.parametrize("content", [b"a bump", b"a dum", b""])
def test_the_drill_refuses_a_dump_that_has_changed(content: bytes, tmp_path: Path) -> None:
    manifest = written(tmp_path)
    dump = manifest.with_suffix(".dump")
    dump.write_bytes(content)

    with pytest.raises(restore.Failed, match="checksum"):
        restore.check_file(dump, json.loads(manifest.read_text()))


def test_a_drill_that_could_not_be_made_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path)
    monkeypatch.setenv("DRILL_SERVER_URL", "postgres://nobody@127.0.0.1:1/postgres")
    monkeypatch.setattr("sys.argv", ["restore", str(tmp_path)])

    status = restore.main()

    assert status == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("FAIL OperationalError")
