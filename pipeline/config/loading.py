"""Reading a configuration: the file, what the command line overrides, the error in one sentence."""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError

from pipeline.config.compute import Compute
from pipeline.config.sections import Config, Format, check_corpus_name
from pipeline.errors import ConfigError
from pipeline.records import is_split_name


def load_config(path: Path, overrides: Iterable[str] = ()) -> Config:
    """Read and check a configuration file, with ``KEY=VALUE`` overrides applied in order."""
    tree = _read_mapping(path)
    overrides = list(overrides)
    for override in overrides:
        _apply_override(tree, override)
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        problem = _first_problem(error, Config)
        source = _blamed(path, overrides, ".".join(_location(_first(error))), problem)
        raise ConfigError(f"{source}{problem}") from None


def _blamed(path: Path, overrides: list[str], key: str, problem: str) -> str:
    """How the problem's sentence begins: with the last ``--set`` of that key, or with the file."""
    for override in reversed(overrides):
        given = override.partition("=")[0]
        if f"{key}.".startswith(f"{given}."):
            return "--set " if problem.startswith(key.partition(".")[0]) else f"--set {given}: "
        if key and given.startswith(f"{key}."):  # a rule about several keys
            return f"{path} with --set {given}: "
    return f"{path}: "


def load_compute(path: Path, **options: Any) -> Compute:
    """Read ``compute.yaml``; options of the command line that are not None win.

    The file may be missing: what it says changes no result.
    """
    tree = _read_mapping(path) if path.exists() else {}
    tree |= {key: value for key, value in options.items() if value is not None}
    try:
        return Compute.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_first_problem(error, Compute)}") from None


def with_values(config: Config, section: str, **values: Any) -> Config:
    """The configuration with some values of one section replaced; None leaves a value as it is."""
    given = {key: value for key, value in values.items() if value is not None}
    tree = config.model_dump()
    tree[section] |= given
    try:
        return Config.model_validate(tree)
    except ValidationError as error:
        raise ConfigError(_first_problem(error, Config)) from None


def corpus_inputs(
    config: Config, name: str, format_name: str | None, inputs: list[str]
) -> tuple[str, list[tuple[str | None, Path]]]:
    """Format and (split, path) inputs of a corpus: what is given wins over its entry."""
    try:
        check_corpus_name(name)
    except ValueError as error:
        raise ConfigError(f"--corpus: {error}") from None
    entry = config.corpora.get(name)
    if format_name is None:
        if entry is None:
            close = difflib.get_close_matches(name, config.corpora, n=1)
            hint = f"did you mean '{close[0]}'? Otherwise give" if close else "give"
            raise ConfigError(f"corpora: no corpus '{name}'; {hint} --format and --input")
        format_name = entry.format
    elif format_name not in get_args(Format):
        known = ", ".join(get_args(Format))
        raise ConfigError(f"--format: unknown format '{format_name}'; expected one of {known}")
    if inputs:
        return format_name, [_split_of_input(text) for text in inputs]
    if entry is None:
        raise ConfigError(f"corpora: no corpus '{name}'; give --input")
    if isinstance(entry.input, str):
        return format_name, [(None, Path(entry.input))]
    if isinstance(entry.input, dict):
        return format_name, [(split, Path(path)) for split, path in entry.input.items()]
    return format_name, [(None, Path(path)) for path in entry.input]


def _split_of_input(text: str) -> tuple[str | None, Path]:
    """``SPLIT=PATH`` or a path, which may itself hold "="."""
    split, separator, path = text.partition("=")
    if separator and is_split_name(split) and not Path(text).exists():
        return split, Path(path)
    return None, Path(text)


class _PlainLoader(yaml.SafeLoader):
    """YAML without aliases, which can make a small file endless, and without repeated keys."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.MarkedYAMLError(problem="aliases are not read", problem_mark=mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, str) and key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key '{key}' stands twice", problem_mark=key_node.start_mark
                )
            seen.add(key if isinstance(key, str) else id(key_node))
        return super().construct_mapping(node, deep)


def _read_yaml(text: str, source: str) -> Any:
    """The value of a YAML text; ``source`` names it in the error."""
    try:
        return yaml.load(text, Loader=_PlainLoader)  # noqa: S506  (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        why = f" ({error.problem})" if error.problem else ""
        raise ConfigError(f"{source}{line}: not valid YAML{why}") from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise ConfigError(f"{source}: not valid YAML") from None


def _read_mapping(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"{path}: no such configuration file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error})") from None
    tree = _read_yaml(text, str(path))
    if not isinstance(tree, dict):
        raise ConfigError(f"{path}: expected a mapping of sections")
    return tree


def _apply_override(tree: dict[str, Any], override: str) -> None:
    key, separator, text = override.partition("=")
    if not separator or not key:
        raise ConfigError(f"--set {override[:80]}: expected KEY=VALUE")
    value = _read_yaml(text, f"--set {key[:80]}")
    *parents, last = key.split(".")
    node: Any = tree
    for part in parents:
        if part not in node:
            raise ConfigError(f"--set {key}: {_unknown_key(part, node)}")
        if not isinstance(node[part], dict):
            raise ConfigError(f"--set {key}: '{part}' is a value and holds no keys")
        node = node[part]
    node[last] = value


def _unknown_key(key: str, siblings: object) -> str:
    known = [str(name) for name in siblings] if isinstance(siblings, Mapping) else []
    close = difflib.get_close_matches(key, known, n=1)
    hint = f"; did you mean '{close[0]}'?" if close else ""
    return f"unknown key '{key}'{hint}"


# How pydantic names what YAML and our users call otherwise.
_YAML_WORDS = {r"dictionary( or instance of \w+)?": "mapping", "tuple": "list"}
_UNION_MEMBERS = ("str", "tuple[str, ...]", "dict[str,str]")


def _first(error: ValidationError) -> Any:
    problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
    return problems[0]


def _location(problem: Any) -> list[str]:
    return [str(part) for part in problem["loc"] if part not in _UNION_MEMBERS]


def _first_problem(error: ValidationError, model: type[BaseModel]) -> str:
    """One sentence for the first problem; a misspelt key before the key that it leaves missing."""
    problem = _first(error)
    location = _location(problem)
    key = ".".join(location)
    match problem["type"]:
        case "extra_forbidden":
            parent = ".".join(location[:-1])
            where = f"{parent}: " if parent else ""
            return where + _unknown_key(location[-1], _fields_at(model, location[:-1]))
        case "missing":
            return f"{key}: missing"
        case "value_error":
            where = f"{key}: " if key else ""  # a rule about several keys names them itself
            return f"{where}{problem['ctx']['error']}"
        case _:
            message = problem["msg"][0].lower() + problem["msg"][1:]
            for theirs, ours in _YAML_WORDS.items():
                message = re.sub(theirs, ours, message)
            return f"{key}: found {reprlib.repr(problem['input'])}; {message}"


def _fields_at(model: type[BaseModel], location: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = dict(model.model_fields)
    for part in location:
        annotation = getattr(fields.get(part), "annotation", None)
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return {}
        fields = dict(annotation.model_fields)
    return fields
