"""pydantic's errors -> findings in our words: where it is, what is wrong, what to write instead.

The only file that knows pydantic's error types. It must not know files or positions.
"""

from __future__ import annotations

import re
from dataclasses import replace
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic_core import ErrorDetails

from fakeserver.script.problems import WRITTEN, Finding, Loc, a, either, near
from fakeserver.script.scenario import AttemptsScenario, ReplyScenario, RespondScenario, StreamScenario
from fakeserver.script.shapes import ByKind, ByVerb, Closed, kind, tag, wanted
from fakeserver.script.steps import Edit, Speech, Step
from fakeserver.script.units import shown

_STEPS: tuple[type[Closed], ...] = get_args(get_args(Step)[0])
_OF_KEYS = ("two-verbs", "two-bodies", "unknown-key")  # errors that are shown at the key they name
_OPTIONS = (set(Speech.known_keys()) | set(Edit.known_keys())) - set(Speech.VERBS)


def explain(root: Any, errors: list[ErrorDetails]) -> list[Finding]:
    """Each error of a validation of `root`, in our words."""
    return [finding for error in errors for finding in _explain(root, error)]


def _explain(root: Any, error: ErrorDetails) -> list[Finding]:
    # A union's tag and the mark of a map's key are no places in the file.
    loc = tuple(step for step in error["loc"] if not (isinstance(step, str) and (step[:1] == "\0" or step == "[key]")))
    context: dict[str, Any] = error.get("ctx", {})
    key = error["loc"][-1:] == ("[key]",)
    if error["type"] == "findings":
        return [replace(finding, loc=(*loc, *finding.loc)) for finding in context["findings"]]
    if error["type"] == "no_verb":
        return [_no_verb(loc, context, error["input"])]
    if "said" in context:
        at_key = key or error["type"] in _OF_KEYS
        return [Finding((*loc, *context["inside"]), error["type"], context["said"], context["remedy"], at_key)]
    if error["type"] == "too_short" and error["input"]:
        return []  # pydantic counts what was valid; what was not has its own error
    return [_plain(root, loc, error, key)]


def _no_verb(loc: Loc, context: dict[str, Any], given: Any) -> Finding:
    what, odd, verbs = context["what"], context["said"], context["verbs"]
    place = (*loc, odd) if isinstance(given, dict) else loc
    if not given:
        return Finding(loc, f"no-{what}", f"an empty {what}", f"{a(what)} has one of: {', '.join(verbs)}")
    if odd in _OPTIONS and what == "step":
        return Finding(place, "no-verb", f"'{odd}' is an option, and this step has no verb",
                       "add the verb: say, call, done, raw, ...", key=True)  # fmt: skip
    known = near(odd, verbs, f"{a(what)} has one of")
    if isinstance(given, dict) and what != "step" and not known.startswith("did"):
        return Finding(loc, f"no-{what}", f"no {either(verbs)} here", f"{a(what)} needs one of them")
    if isinstance(given, dict) and what in ("scenario", "attempt"):  # of a step it is the verb: it has little else
        return Finding(place, "unknown-key", f"'{odd}' is no key of {a(what)}", known, key=True)
    return Finding(place, f"unknown-{what}", f"unknown {what} '{odd}'", known, key=True)


def _plain(root: Any, loc: Loc, error: ErrorDetails, key: bool) -> Finding:
    given = error["input"]
    match error["type"]:
        case "extra_forbidden":
            return _extra(root, error["loc"], loc, given)
        case "missing":
            return Finding(loc[:-1], "missing", f"the key '{loc[-1]}' is missing", f"write {loc[-1]}: ...")
        case "literal_error":
            return _no_word(root, loc, error, key)
        case "none_required":
            return Finding(loc, "value", f"'{loc[-1]}' takes no value here", f"write {loc[-1]} alone")
        case "too_short":
            return Finding(loc, "empty", "nothing in it", "write at least one entry, or leave the key out")
        case code:
            want = "a list" if code == "tuple_type" else "a map"
            return Finding(loc, "type", f"expected {want}, got {kind(given)}", wanted(given, want.removeprefix("a ")))


def _no_word(root: Any, loc: Loc, error: ErrorDetails, key: bool) -> Finding:
    given, words = error["input"], re.findall(r"'([^']*)'", str(error.get("ctx", {}).get("expected")))
    what = _union_of(root, error["loc"])
    if key:
        return Finding(loc, "unknown-key", f"unknown key '{given}'", near(given, words, "known here"), key)
    if isinstance(given, str):
        known = near(given, words)
        return Finding(loc, "value", f"unknown value '{given}'", known if known.startswith("did") else what or known)
    remedy = f'quote it: "{WRITTEN}"' if str(given) in words else wanted(given) or f"one of: {', '.join(words)}"
    return Finding(loc, "type", f"expected {either(words)}, got {shown(given)}", remedy)


def _union_of(root: Any, raw: tuple[str | int, ...]) -> str:
    """What a union by kind asks for, where the last step went into one of its arms."""
    marks = _opened(_walked(root, raw[:-1]))[1]
    return next((f"write {mark.what}" for mark in marks if isinstance(mark, ByKind) and mark.what), "")


def _extra(root: Any, raw: tuple[str | int, ...], loc: Loc, given: Any) -> Finding:
    odd, model = str(loc[-1]), model_at(root, raw[:-1])
    known = model.known_keys() if model else ()
    remedy = near(odd, known, "known here")
    if odd in AttemptsScenario.known_keys() and model in (ReplyScenario, StreamScenario, RespondScenario):
        remedy = f"'{odd}' stands beside attempts only"
    elif given is None and not remedy.startswith("did"):
        return Finding(loc, "unknown-key", f"unknown key '{odd}', without a value",
                       "a comma ends a text inside {...}: quote the text that holds it", key=True)  # fmt: skip
    elif odd in _OPTIONS and model in _STEPS and model is not None and not remedy.startswith("did"):
        verb = "speech" if model is Speech else model.VERBS[0]
        return Finding(loc, "nothing-to-act-on", f"'{odd}' has nothing to act on in {a(verb)} step", remedy, key=True)
    return Finding(loc, "unknown-key", f"unknown key '{odd}'", remedy, key=True)


def model_at(annotation: Any, loc: tuple[str | int, ...]) -> type[Closed] | None:
    """The closed model that an error's location stands in."""
    here = _bare(_walked(annotation, loc))
    return here if isinstance(here, type) and issubclass(here, Closed) else None


def _walked(annotation: Any, loc: tuple[str | int, ...]) -> Any:
    for step in loc:
        annotation = _into(annotation, step)
    return annotation


def _into(annotation: Any, step: str | int) -> Any:
    if isinstance(step, str) and step.startswith("\0"):
        return _arm(annotation, step)
    here = _bare(annotation)
    if get_origin(here) in (tuple, list, dict):
        return get_args(here)[0 if get_origin(here) is tuple else -1]
    fields = getattr(here, "model_fields", {}).items()
    return next((Annotated[(f.annotation, *f.metadata, "a field")] for n, f in fields if (f.alias or n) == step), None)


def _arm(annotation: Any, branch: str) -> Any:
    union, marks = _opened(annotation)
    mark = next(mark for mark in marks if isinstance(mark, ByKind | ByVerb))
    if isinstance(mark, ByKind):
        return get_args(union)[mark.arms.index(branch[1:])]
    return next(model for model in get_args(union) if tag(model.VERBS[0]) == branch)


def _opened(annotation: Any) -> tuple[Any, list[Any]]:
    """What stands inside of the annotations, and all their marks."""
    marks: list[Any] = []
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            marks += more
        elif _is_union(annotation) and not any(isinstance(mark, ByKind | ByVerb) for mark in marks):
            annotation = next(arm for arm in get_args(annotation) if arm is not NoneType)
        else:
            return annotation, marks


def _bare(annotation: Any) -> Any:
    return _opened(annotation)[0]


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)
