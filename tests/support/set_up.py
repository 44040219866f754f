"""Set the mode and a database of the tests' own, and load Django. To be imported first.

`pytest` with nothing else runs on a PostgreSQL that is started here from a wheel and thrown away
afterwards. TEST_DATABASE_URL names another one, or an SQLite file.
"""

import atexit
import os

import django

from tests.support import databases

# A worker of pytest-xdist finds what the first process has put there.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["DATABASE_URL"] = os.environ.get("TEST_DATABASE_URL") or databases.own_postgresql()
    _folder = databases.temporary_folder()
    os.environ["TESTS_STATIC_ROOT"] = str(_folder / "static")
    atexit.register(databases.drop_kept, os.environ["DATABASE_URL"], _folder)
os.environ["MODE"] = "test"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

django.setup()
