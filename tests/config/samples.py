"""The programs of the reference, and what runs them."""

import shutil
import sys

from tests.support.server import ROOT

EXAMPLES = ROOT / ".ci" / "reference" / "examples"
INTERPRETERS = {"py": sys.executable, "mjs": "node", "php": "php"}
# Node and PHP are no part of the tests' environment: their samples run where there is one.
SUFFIXES = [suffix for suffix in ("py", "mjs", "php") if shutil.which(INTERPRETERS[suffix])]
