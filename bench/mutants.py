"""Break the code in small ways, and count what the tests do not notice.

    python -m bench.mutants [--count 100] [--seed 31]

Draws as many lines from each folder of assessments as from each other package of the service,
changes one operator, constant, name or statement of each, and runs the tests that cover the line,
those that cover least first, until one fails. Equal code and seed give equal mutants.

The first run records which test covers which line, in var/mutants/.coverage (five minutes); remove
it after a change of tests. Then a mutant takes 10 to 120 seconds, on as many cores as there are.
"""

import argparse
import ast
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from coverage import CoverageData

ROOT = Path(__file__).parents[1]
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
WORK = ROOT / "var" / "mutants"
COVERAGE = WORK / ".coverage"
MOST_TESTS = 1000  # of a line that more tests cover, those that cover most are left out
TIMEOUT = 1200  # seconds; a mutant that loops for ever counts as noticed


def both_ways(pairs):
    return {**dict(pairs), **{other: one for one, other in pairs}}


OPERATORS = both_ways(
    [
        *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn)),
        *((ast.Is, ast.IsNot), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div)),
        (ast.BitAnd, ast.BitOr),
    ]
)
NAMES = both_ways([("filter", "exclude"), ("min", "max"), ("any", "all"), ("first", "last")])


@dataclass(frozen=True)
class Mutant:
    """A change of one place: the characters from `start` to `end` become `text`."""

    path: str
    line: int
    start: int
    end: int
    text: str
    was: str

    def __str__(self):
        was, text = (" ".join(part.split())[:60] for part in (self.was, self.text))
        return f"{self.path}:{self.line}: {was} -> {text}"

    def apply(self, root):
        source = (ROOT / self.path).read_bytes()
        changed = source[: self.start] + self.text.encode() + source[self.end :]
        (root / self.path).write_bytes(changed)


def mutants_of(path):
    """Yield what may be changed in the outermost functions of a file."""
    source = path.read_bytes()
    offsets = [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]
    for top in ast.parse(source).body:
        for function in top.body if isinstance(top, ast.ClassDef) else [top]:
            is_function = isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
            for node in nodes_of(*function.body) if is_function else ():
                if (text := changed(node)) is not None:
                    start = offsets[node.lineno - 1] + node.col_offset
                    end = offsets[node.end_lineno - 1] + node.end_col_offset
                    was = source[start:end].decode()
                    yield Mutant(str(path.relative_to(ROOT)), node.lineno, start, end, text, was)


def nodes_of(*nodes):
    """Yield the nodes of a tree, without annotations, decorators and f-strings."""
    for node in nodes:
        if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr):
            yield node
            for name, value in ast.iter_fields(node):
                if name not in {"annotation", "returns", "decorator_list"}:
                    yield from nodes_of(*value if isinstance(value, list) else [value])


def changed(node):
    """Return the text that takes a node's place, or None if nothing is changed there."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in OPERATORS:
            new = ast.Compare(node.left, [OPERATORS[type(operator)]()], node.comparators)
        case ast.BoolOp(op=operator):
            new = ast.BoolOp(OPERATORS[type(operator)](), node.values)
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            new = ast.BinOp(node.left, OPERATORS[type(operator)](), node.right)
        case ast.UnaryOp(op=ast.Not(), operand=new):
            pass
        case ast.IfExp():
            new = ast.IfExp(node.test, node.orelse, node.body)
        case ast.Attribute(attr=name) if name in NAMES:
            new = ast.Attribute(node.value, NAMES[name])
        case ast.Constant(value=bool(value)):
            return str(not value)
        case ast.Constant(value=int(value)):
            return str(value + 1)
        case ast.Constant(value=str(value)) if value and " " not in value:
            return repr(f"{value}x")
        case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
            return NAMES[name]
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Delete() | ast.AugAssign():
            return "pass"
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            return "return None"
        case _:
            return None
    return f"({ast.unparse(new)})"


def draw(count, seed):
    """Draw mutants, each of another line, from each folder in turn while it has more."""
    folders = defaultdict(lambda: defaultdict(list))
    for package in TOOLS["coverage"]["run"]["source"]:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts and path.name != "wording.py":
                folder = path.relative_to(ROOT).parts[: 2 if package == "assessments" else 1]
                for each in mutants_of(path):
                    folders[folder][each.line, path].append(each)
    chance = random.Random(seed)
    shuffled = [chance.sample([*lines.values()], len(lines)) for lines in folders.values()]
    turns = filter(None, itertools.chain(*itertools.zip_longest(*shuffled)))
    return [chance.choice(mutants) for mutants in itertools.islice(turns, count)]


def tests_of_lines():
    """Return the tests of each line by file, and of how many lines each test is."""
    if not COVERAGE.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pytest", "-q", "--cov", "--cov-context=test"]
        env = {**os.environ, "COVERAGE_FILE": str(COVERAGE)}
        subprocess.run([*command, "--cov-report="], cwd=ROOT, env=env, check=True)
    data = CoverageData(basename=str(COVERAGE))
    data.read()
    lines, size = {}, Counter()
    for name in data.measured_files():
        path = str(Path(name).relative_to(ROOT))
        lines[path] = {
            line: sorted({context.rpartition("|")[0] for context in contexts if context})
            for line, contexts in data.contexts_by_lineno(name).items()
        }
        for tests in lines[path].values():
            size.update(tests)
    return lines, size


def copy_of_tree(number):
    """Copy the tree, for a thread that tries one mutant at a time in it; return its folder."""
    root = WORK / f"copy{number}"
    shutil.rmtree(root, ignore_errors=True)
    ignored = shutil.ignore_patterns("var", ".git", ".venv", "__pycache__", ".*_cache")
    return shutil.copytree(ROOT, root, ignore=ignored)


def is_noticed(mutant, tests, root):
    """Return whether one of the tests fails with this mutant."""
    mutant.apply(root)
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run([*command, *tests], cwd=root, capture_output=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return True
    finally:
        shutil.copyfile(ROOT / mutant.path, root / mutant.path)
    printed = done.stdout + done.stderr
    # 2 is what pytest returns for an import that the mutant breaks.
    if done.returncode > 2 and not re.search(rb"conftest|ERROR collecting", printed):
        raise RuntimeError(printed.decode()[-2000:])
    return done.returncode != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=31)
    arguments = parser.parse_args()
    drawn = draw(arguments.count, arguments.seed)
    lines, size = tests_of_lines()
    workers = os.cpu_count() or 1

    def count_survivors(number):
        """Try every mutant of this worker; print and count those that survive."""
        root, survivors = copy_of_tree(number), 0
        for mutant in drawn[number::workers]:
            tests = lines.get(mutant.path, {}).get(mutant.line, [])
            nearest = sorted(tests, key=lambda test: (size[test], test))[:MOST_TESTS]
            if not nearest or not is_noticed(mutant, nearest, root):
                survivors += 1
                print(f"{mutant} ({len(tests)} tests)", flush=True)
        return survivors

    with ThreadPoolExecutor(workers) as pool:
        survivors = sum(pool.map(count_survivors, range(workers)))
    print(f"{survivors} of {len(drawn)} mutants survive (seed {arguments.seed}).")


if __name__ == "__main__":
    main()
