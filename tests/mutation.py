"""Mutation testing of what verifying rests on (``specs/mutation.md``); not a test itself.

    python tests/mutation.py run GROUP [MODULE…]    make mutants of a group and judge them
    SAMPLE=400 python tests/mutation.py run GROUP   judge so many, drawn with seed 1
    python tests/mutation.py table                  count them by module
    python tests/mutation.py survivors [MODULE…]    show each that no test noticed

mutmut makes the mutants: all of a function stand beside it in a copy of the tree under
``build/mutation``, and a switch says which one is called. Its own runner begins a session of pytest
for each, which takes longer than the tests; so one session is collected here, and each mutant is a
fork of it that runs the tests that reach the changed statement, fast ones first, until one fails.

The tool would also change the words of messages. Wording is prose: tests assert codes, places and
numbers, and must not break because a sentence got better. So texts inside of a `raise` or an
`assert` are left alone, and so is the length of a shortened digest there; everything else is not.
Nor is an argument of a refusal left out: without place, got and expected there is none to be
raised, which any test would notice, and a left-out ``seq`` is the same as one that became None.
"""

import ast
import gc
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple

import coverage
import libcst as cst
import libcst.matchers as m
import pytest
from mutmut.mutation.diff_apply import get_diff_for_mutant
from mutmut.mutation.file_mutation import MutationVisitor, mutate_file_contents
from mutmut.mutation.mutators import mutation_operators, operator_arg_removal
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.utils.format_utils import get_mutant_name

REPO = Path(__file__).resolve().parents[1]
COPIES = REPO / "build" / "mutation"

# What is mutated, and by which tests its mutants must be noticed.
GROUPS = {
    "signing": (["signing/*.py"], ["tests/signing"]),
    "verify": (
        [
            "ledger/verify/*.py",
            "ledger/authority.py",
            "ledger/entry.py",
            "ledger/replay.py",
            "ledger/bundle/reader.py",
        ],
        [
            "tests/ledger/verify",
            "tests/ledger/bundle",
            "tests/ledger/importers/test_extraction.py",
            "tests/ledger/test_decide.py",
            "tests/ledger/test_entry.py",
            "tests/ledger/test_entry_places.py",
            "tests/ledger/test_replay.py",
        ],
    ),
    "canon": (["canon/*.py"], ["tests/canon"]),
}
# Lists of names have nothing to mutate. What reads ahead does so in processes of its own, which no
# switch reaches, and its tests start some for every mutant; one verdict of many is theirs to hold.
UNSWITCHED = (
    "canon/__init__.py",
    "signing/__init__.py",
    "ledger/verify/__init__.py",
    "ledger/verify/ahead.py",
    "ledger/verify/segments.py",
)
# These take seconds each, or look at the text or the memory of what is mutated.
SKIPPED = (
    "tests/canon/test_cbor_laws.py::test_memory_is_linear",
    "tests/ledger/bundle/test_changes.py",
    "tests/ledger/test_entry.py::test_the_generator_writes_this_file",
    "tests/ledger/verify/test_ahead.py",
    "tests/ledger/verify/test_structure.py",
    "tests/ledger/verify/test_vectors.py::test_the_generator_writes_these_files",
    "tests/ledger/verify/test_verdict.py::test_verifying_loads_neither_database_nor_command_line",
    "tests/signing/test_cose.py::test_every_changed_byte_of_a_decision_signature_is_refused",
    "tests/signing/test_cose.py::test_every_flipped_bit_of_an_edition_signature_is_refused",
    "tests/signing/test_errors.py::test_the_package_exports_what_it_imports",
    "tests/signing/test_notes.py::test_every_flipped_bit_of_a_checkpoint_note_is_refused",
    "tests/signing/test_trust.py::test_a_flipped_bit_of_a_root_makes_another_root_or_is_refused",
    "tests/signing/test_trust.py::test_junk_anywhere_in_a_root_is_read_or_refused",
    "tests/signing/test_trust.py::test_many_roles_and_keys_are_read_at_once",
)
ARGUMENTS = ("-q", "-s", "--assert=plain", "--hypothesis-profile=few", "-pno:cacheprovider")
UNNEEDED = ("xdist", "unraisableexception", "threadexception")

SECONDS = 3
"""Processor time that a mutant has for a test, beside five times that of the test by itself."""
MEMORY = 3 * 2**30

_TEXT = m.SimpleString() | m.FormattedString() | m.ConcatenatedString()
_SHORTENED = m.Subscript(value=m.Call(func=m.Attribute(attr=m.Name("hex"))))


def wording(statement: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the parts of a statement that are there to be read by people."""
    yield from m.findall(statement, _TEXT)
    for shortened in m.findall(statement, _SHORTENED):
        yield from cst.ensure_type(shortened, cst.Subscript).slice


def is_remedy(node: cst.CSTNode) -> bool:
    """Say whether a statement gives a refusal another hint."""
    return m.matches(
        node, m.Assign(targets=[m.AssignTarget(target=m.Attribute(attr=m.Name("remedy")))])
    )


def casts(call: cst.Call) -> bool:
    """Say whether a call is a `cast`, whose first argument only the type checker reads."""
    return m.matches(call.func, m.Name("cast"))


def leave_wording_alone() -> None:
    """Make the tool skip wording; it has no option for a part of a line."""
    skips = MutationVisitor._skip_node_and_children
    left: set[cst.CSTNode] = set()
    raised: set[cst.CSTNode] = set()

    def skip(visitor: MutationVisitor, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.Raise, cst.Assert)) or is_remedy(node):
            left.update(wording(node))
        if isinstance(node, cst.Raise) and node.exc is not None:
            raised.add(node.exc)
        if isinstance(node, cst.Call) and casts(node):
            left.add(node.args[0])
        return node in left or skips(visitor, node)

    def replaced(node: cst.Call) -> Iterator[cst.Call]:
        for changed in operator_arg_removal(node):
            fewer = len(changed.args) < len(node.args)
            if casts(node):
                if changed.args[0] is node.args[0]:
                    yield changed
            elif not (fewer and node in raised):
                yield changed

    MutationVisitor._skip_node_and_children = skip
    at = mutation_operators.index((cst.Call, operator_arg_removal))
    mutation_operators[at] = (cst.Call, replaced)


def copied(group: str) -> Path:
    """Return a fresh copy of the tree, without what git ignores."""
    folder = COPIES / group
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().rstrip("\0").split("\0"):
        if (REPO / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPO / name, folder / name)
    return folder


class Mutant(NamedTuple):
    """A mutant, and where it was made.

    Attributes:
        name: The tool's name for it.
        file: The file that it is in.
        lines: Lines of the changed statement in the function as it is.
    """

    name: str
    file: str
    lines: range


def mutate(patterns: Sequence[str]) -> list[Mutant]:
    """Put mutants into the files here that fit."""
    leave_wording_alone()
    made: list[Mutant] = []
    for path in sorted(path for pattern in patterns for path in Path().glob(pattern)):
        if str(path) in UNSWITCHED:
            continue
        mutated = mutate_file_contents(str(path), path.read_text(encoding="utf-8"))
        path.write_text(mutated.code, encoding="utf-8")
        lines, spans = mutated.code.splitlines(), mutated.line_span_by_function_name
        texts = {name: lines[span.start - 1 : span.end] for name, span in spans.items()}
        for name in mutated.mutant_names:
            origin = name.partition("__mutmut_")[0] + "__mutmut_orig"
            changed = changed_statement(texts[origin], texts[name])
            first = spans[origin].start
            where = range(first + changed.start, first + changed.stop)
            made.append(Mutant(get_mutant_name(path, name), str(path), where))
    return made


def changed_statement(before: Sequence[str], after: Sequence[str]) -> range:
    """Return which lines of a function, from 0, the statement has that a mutant changed.

    Where it contains others, all of the function: what reaches its head reaches most of it.
    """
    renamed = next(at for at, line in enumerate(before) if "__mutmut_orig(" in line)
    pairs = enumerate(zip_longest(before, after))
    at = next((at for at, (one, two) in pairs if one != two and at != renamed), renamed)
    best: ast.stmt | None = None
    for node in ast.walk(ast.parse(textwrap.dedent("\n".join(before)))):
        inside = isinstance(node, ast.stmt) and node.lineno - 1 <= at < (node.end_lineno or 0)
        if inside and (best is None or node.lineno >= best.lineno):
            best = node
    if best is None or hasattr(best, "body") or isinstance(best, ast.Match):
        return range(len(before))
    return range(best.lineno - 1, best.end_lineno or best.lineno)


class Judge:
    """A plugin of pytest that runs the collected tests for every mutant.

    Attributes:
        statuses: Name of each mutant to what became of it.
    """

    def __init__(self, mutants: Sequence[Mutant], path: Path) -> None:
        self._mutants, self._path = mutants, path
        self.statuses: dict[str, str] = {}
        self._seconds: dict[pytest.Item, float] = {}
        self._reaching: dict[str, dict[int, list[str]]] = {}
        self._items: Mapping[str, pytest.Item] = {}
        self._lately: dict[str, pytest.Item] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run all tests once as they are, noting what they reach; then for each mutant."""
        self._items = {str(number): item for number, item in enumerate(session.items)}
        files = sorted({mutant.file for mutant in self._mutants})
        measured = coverage.Coverage(data_file=None, include=files, config_file=False)
        measured.start()
        for number, item in self._items.items():
            measured.switch_context(number)
            begun = time.process_time()
            if passes(item, self._items.get(str(int(number) + 1))):
                self._seconds[item] = time.process_time() - begun
            else:
                print("left out, since it fails without any mutant:", item.nodeid)
        measured.stop()
        data = measured.get_data()
        self._reaching = {file: data.contexts_by_lineno(os.path.abspath(file)) for file in files}
        del measured, data
        gc.collect()
        gc.freeze()
        for count, mutant in enumerate(self._mutants):
            self.statuses[mutant.name] = self._judged(mutant)
            if count % 20 == 0:
                print(count, "of", len(self._mutants), Counter(self.statuses.values()), flush=True)
                self.save()
        return True

    def save(self) -> None:
        """Write down what is known so far, for the table and the list of survivors."""
        found = [
            [one.file, one.name, self.statuses.get(one.name, "not run")] for one in self._mutants
        ]
        self._path.write_text(json.dumps(found, indent=0), encoding="utf-8")

    def _judged(self, mutant: Mutant) -> str:
        lines = self._reaching[mutant.file]
        numbers = {number for line in mutant.lines for number in lines.get(line, ()) if number}
        items = [item for number in numbers if (item := self._items[number]) in self._seconds]
        items.sort(key=self._seconds.__getitem__)
        if not items:
            return "no tests"
        function = mutant.name.partition("__mutmut_")[0]
        lately = self._lately.get(function)
        if lately in items:  # what noticed the last change of a function may notice this one
            items.remove(lately)
            items.insert(0, lately)
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            self._run(mutant.name, items, writer)
        os.close(writer)
        with os.fdopen(reader, "rb") as report:
            failed = report.read()
        _, status = os.waitpid(child, 0)
        if failed:
            self._lately[function] = items[int(failed)]
            return "killed"
        if os.WIFSIGNALED(status):
            timeout = os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM)
            return "timeout" if timeout else "killed"
        return "survived" if os.WEXITSTATUS(status) == 0 else "killed"

    def _run(self, name: str, items: Sequence[pytest.Item], writer: int) -> None:
        """Run tests until one fails, in a process of its own that never returns."""
        code = 1
        try:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            gc.disable()
            set_mutant_under_test(name)
            for number, item in enumerate(items):
                seconds = SECONDS + 5 * self._seconds[item]
                signal.setitimer(signal.ITIMER_PROF, seconds)
                signal.alarm(int(10 * seconds))
                if not passes(item, items[number + 1] if number + 1 < len(items) else None):
                    os.write(writer, str(number).encode())
                    os._exit(1)
            code = 0
        finally:
            os._exit(code)


def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test; say whether it passed, or was skipped."""
    from _pytest.runner import runtestprotocol

    # Nobody reads how a test failed, and telling it takes longer than most tests do.
    vars(item)["repr_failure"] = vars(item)["_repr_failure_py"] = lambda *_, **__: "failed"
    return not any(report.failed for report in runtestprotocol(item, False, following))


def run(group: str, *modules: str) -> None:
    """Judge the mutants of a group, or those of some modules of it."""
    patterns, tests = GROUPS[group]
    os.chdir(copied(group))
    sys.path.insert(0, os.getcwd())
    made = mutate(patterns)
    wanted = [mutant for mutant in made if mutant.name.startswith(modules or ("",))]
    if "SAMPLE" in os.environ:
        drawn = Random(1).sample(range(len(wanted)), min(len(wanted), int(os.environ["SAMPLE"])))
        wanted = [wanted[number] for number in sorted(drawn)]
    judge = Judge(wanted, COPIES / f"{group}.json")
    skipped = [f"--deselect={test}" for test in SKIPPED]
    plugins = [f"-pno:{name}" for name in UNNEEDED]
    pytest.main([*ARGUMENTS, *plugins, *skipped, *tests], plugins=[judge])
    judge.save()


def results() -> Iterator[tuple[str, str, str, str]]:
    """Yield group, file, name and status of every mutant."""
    for group in GROUPS:
        path = COPIES / f"{group}.json"
        for file, name, status in json.loads(path.read_text("utf-8")) if path.exists() else ():
            yield group, file, name, status


def table() -> None:
    """Print the counts by module as a table for the page."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for group, file, _, status in results():
        for row in (file, f"**{group}**", "**all**"):
            counts[row][status] += 1
    columns = ("killed", "timeout", "survived", "no tests", "not run")
    print("| module | mutants |", " | ".join(columns), "| noticed |")
    print("|---" * 8 + "|")
    for row in sorted(counts):
        count = counts[row]
        share = f"{100 * (count['killed'] + count['timeout']) / count.total():.1f} %"
        cells = [row, str(count.total()), *(str(count[column]) for column in columns), share]
        print("|", " | ".join(cells), "|")


def survivors(*modules: str) -> None:
    """Print the change that each survivor made."""
    for group, file, name, status in results():
        if status in ("survived", "no tests") and name.startswith(modules or ("",)):
            source = (COPIES / group / file).read_text(encoding="utf-8")
            print(f"## {name}: {status}")
            for line in get_diff_for_mutant(name, source=source, path=file).splitlines()[2:]:
                if line.startswith(("+", "-")):
                    print(line)


def main(command: str, *names: str) -> None:
    """Run one of the commands."""
    match command:
        case "run":
            run(*names)
        case "table":
            table()
        case "survivors":
            survivors(*names)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:] or [""])
