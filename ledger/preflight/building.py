"""``build_install``: a JDK compiles, packages and runs a probe, and installing keeps its bytes.

Clause PRE-25. The probe prints a word that nobody could know before, so that what runs is what was
compiled here.
"""

import os
import re
import shutil
from pathlib import Path

from canon import sha256

from .bench import Bench, Outcome, filled

_SOURCE = """\
public final class Probe {
    public static void main(String[] arguments) {
        System.out.println("{nonce}");
    }
}
"""
_VERSION = re.compile(r'version "(?P<whole>(?:1\.)?(?P<major>\d+)[^"]*)"')


def build_install(bench: Bench) -> Outcome:
    """Find the JDK, look at its version, build with it and run what was built."""
    build, seconds = bench.config.build, bench.config.timeouts.build
    java = build.java or _on_path("java", bench)
    if java is None:
        return Outcome("FAIL", "no `java` on PATH, and `build.java` is not configured")
    ended = bench.run("java-version", [java, "-version"], seconds)
    version = _VERSION.search(ended.text)
    if not ended.ok or version is None:
        how = ended.how if not ended.ok else "it does not say its version"
        return Outcome("FAIL", f"{java} did not answer: {how}")
    versions = {"java": version["whole"]}
    if int(version["major"]) < build.min_java:
        said = f"Java {version['whole']} is too old: `build.min_java` is {build.min_java}"
        return Outcome("FAIL", said, versions)
    javac, jar = _beside("javac", java), _beside("jar", java)
    if javac is None or jar is None:
        missing = "javac" if javac is None else "jar"
        said = f"no `{missing}` beside {java}: that is a runtime, and building takes a JDK"
        return Outcome("FAIL", said, versions)
    fault = _built(bench, java, javac, jar)
    if fault is not None:
        return Outcome("FAIL", fault, versions)
    return Outcome("PASS", f"Java {version['whole']} built a jar that runs as installed", versions)


def _built(bench: Bench, java: str, javac: str, jar: str) -> str | None:
    """Build, install and run the probe; return what was wrong."""
    seconds, folder = bench.config.timeouts.build, bench.folder
    nonce = bench.random(16).hex()
    source, classes, archive = folder / "Probe.java", folder / "classes", folder / "probe.jar"
    source.write_text(filled([_SOURCE], {"nonce": nonce})[0], encoding="ascii")
    classes.mkdir()
    steps = (
        ("compile", [javac, "-encoding", "UTF-8", "-d", str(classes), str(source)]),
        ("package", [jar, "cf", str(archive), "-C", str(classes), "."]),
    )
    for name, words in steps:
        ended = bench.run(name, words, seconds)
        if not ended.ok:
            return f"to {name} the probe failed: {ended.how}"
    installed = folder / "installed" / "probe.jar"
    installed.parent.mkdir()
    shutil.copyfile(archive, installed)
    made, there = sha256(archive.read_bytes()).hex(), sha256(installed.read_bytes()).hex()
    bench.note(
        "file",
        path=bench.path_of(installed),
        size_bytes=installed.stat().st_size,
        written_sha256=made,
        read_sha256=there,
    )
    if made != there:
        return "the installed jar has other bytes than the one that was built"
    ended = bench.run("run", [java, "-cp", str(installed), "Probe"], seconds)
    if not ended.ok:
        return f"the installed jar does not run: {ended.how}"
    return None if nonce in ended.text.split() else "the installed jar says something else"


def _on_path(name: str, bench: Bench) -> str | None:
    return shutil.which(name, path=bench.environ().get("PATH"))


def _beside(name: str, java: str) -> str | None:
    """Return a tool of the JDK that *java* is of; a link on PATH may lead to the runtime of one."""
    tool = f"{name}.exe" if java.lower().endswith(".exe") else name
    for path in (Path(java), Path(os.path.realpath(java))):
        found = path.with_name(tool)
        if found.is_file():
            return str(found)
    return None
