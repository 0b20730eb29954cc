"""pydantic's errors -> findings in our words: where it is, what is wrong, what to write instead.

The only file that knows pydantic's error types. It must not know files or positions.
"""

from __future__ import annotations

import re
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from fakeserver.script.problems import Finding, Loc, near
from fakeserver.script.shapes import ByKind, ByVerb, Closed, kind, wanted
from fakeserver.script.steps import Edit, Speech

_OPTIONS = set(Speech.known_keys()) | set(Edit.known_keys())


def explain(root: Any, errors: list[ErrorDetails]) -> list[Finding]:
    """Each error of a validation of `root`, in our words."""
    return [finding for error in errors for finding in _explain(root, error)]


def _explain(root: Any, error: ErrorDetails) -> list[Finding]:
    # A union's tag ("<say>") and the mark of a map's key are no places in the file.
    loc = tuple(step for step in error["loc"] if not (isinstance(step, str) and re.fullmatch(r"<.*>|\[key\]", step)))
    context: dict[str, Any] = error.get("ctx", {})
    if error["type"] == "made":
        return [Finding((*loc, *f.loc), f.code, f.message, f.remedy, key=True) for f in context["findings"]]
    key = "[key]" in error["loc"]
    if "said" in context and error["type"] in ("no_verb", "two_verbs"):
        return [_verb(loc, error["type"], context, error["input"])]
    if "said" in context:
        return [Finding(loc, error["type"], context["said"], context["remedy"], key)]
    return [_plain(root, loc, error, key)]


def _verb(loc: Loc, code: str, context: dict[str, Any], given: Any) -> Finding:
    what, odd = context["what"], context["said"]
    place = (*loc, odd) if isinstance(given, dict) and odd else loc
    if code == "two_verbs":
        remedy = f"a {what} has one verb: make two {what}s of it" if what == "step" else "keep one of them"
        return Finding(place, "two-verbs", f"'{context['first']}' and '{odd}' cannot share a {what}", remedy, key=True)
    if not odd:
        return Finding(loc, f"no-{what}", f"an empty {what}", f"a {what} has one of: {', '.join(context['verbs'])}")
    if odd in _OPTIONS and what == "step":
        return Finding(place, "no-verb", f"'{odd}' is an option, and this step has no verb", "add say, call, done, ...", key=True)
    known = near(odd, context["verbs"], f"a {what} has one of")
    if given and isinstance(given, dict) and what != "step" and not known.startswith("did"):
        return Finding(loc, f"no-{what}", f"no {' or '.join(context['verbs'])} here", f"a {what} needs one of them")
    return Finding(place, f"unknown-{what}", f"unknown {what} '{odd}'", known, key=True)


def _plain(root: Any, loc: Loc, error: ErrorDetails, key: bool) -> Finding:
    code, given, context = error["type"], error["input"], error.get("ctx", {})
    match code:
        case "extra_forbidden":
            return _extra(root, error["loc"], loc, given)
        case "missing":
            return Finding(loc[:-1], "missing", f"the key '{loc[-1]}' is missing", f"write {loc[-1]}: ...")
        case "literal_error":
            words = re.findall(r"'([^']*)'", str(context.get("expected")))
            if given is None:
                return Finding(loc, "type", "expected a value, got nothing", wanted(None, True), key)
            return Finding(loc, "value", f"unknown value '{given}'", near(given, words), key)
        case "none_required":
            return Finding(loc, "value", f"'{loc[-1]}' takes no value here", f"write {loc[-1]} alone", key)
        case "too_short":
            return Finding(loc, "empty-list", "an empty list", "write at least one entry", key)
        case _:
            return Finding(loc, "type", _said(code, given, error["msg"]), wanted(given, "string" in code), key)


def _said(code: str, given: Any, message: str) -> str:
    want = {"model_type": "a map", "dict_type": "a map", "tuple_type": "a list", "list_type": "a list",
            "int_type": "a whole number", "int_from_float": "a whole number", "int_parsing": "a whole number",
            "bool_type": "true or false", "bool_parsing": "true or false", "model_attributes_type": "a map"}.get(code)  # fmt: skip
    return f"expected {want}, got {kind(given)}" if want else f"{message[0].lower()}{message[1:]}"


def _extra(root: Any, raw: tuple[str | int, ...], loc: Loc, given: Any) -> Finding:
    odd, model = str(loc[-1]), model_at(root, raw[:-1])
    known = model.known_keys() if model else ()
    if given is None and not near(odd, known).startswith("did"):
        return Finding(loc, "comma", f"the key '{odd}' has no value",
                       "a comma ends a text inside {...}; quote the text that holds it", key=True)  # fmt: skip
    verb = getattr(model, "VERBS", ("",))[0]
    if odd in _OPTIONS and verb and odd not in known:
        return Finding(loc, "nothing-to-act-on", f"'{odd}' has nothing to act on in a {verb} step",
                       f"{verb} takes {', '.join(known)}", key=True)  # fmt: skip
    return Finding(loc, "unknown-key", f"unknown key '{odd}'", near(odd, known, "known here"), key=True)


def model_at(annotation: Any, loc: tuple[str | int, ...]) -> type[Closed] | None:
    """The closed model that an error's location stands in."""
    here = annotation
    for step in loc:
        here = _into(here, step)
    here = _bare(here)
    return here if isinstance(here, type) and issubclass(here, Closed) else None


def _into(annotation: Any, step: str | int) -> Any:
    if isinstance(step, str) and step.startswith("<"):
        return _arm(annotation, step)
    here = _bare(annotation)
    if get_origin(here) in (tuple, list, dict):
        return get_args(here)[0 if get_origin(here) is tuple else -1]
    if isinstance(here, type) and issubclass(here, BaseModel):
        return next((f.annotation if not f.metadata else Annotated[(f.annotation, *f.metadata)]
                     for n, f in here.model_fields.items() if (f.alias or n) == step), None)  # fmt: skip
    return here


def _arm(annotation: Any, tag: str) -> Any:
    union, marks = _opened(annotation)
    for mark in marks:
        if isinstance(mark, ByKind):
            return get_args(union)[mark.arms.index(tag[1:-1])]
        if isinstance(mark, ByVerb):
            return next((model for model in get_args(union) if f"<{model.VERBS[0]}>" == tag), None)
    return None


def _opened(annotation: Any) -> tuple[Any, list[Any]]:
    """What stands inside of the annotations, and all their marks."""
    marks: list[Any] = []
    while True:
        if get_origin(annotation) is Annotated:
            annotation, *more = get_args(annotation)
            marks += more
        elif _is_union(annotation) and not any(isinstance(mark, ByKind | ByVerb) for mark in marks):
            arms = [arm for arm in get_args(annotation) if arm is not NoneType]
            if len(arms) != 1:
                return annotation, marks
            annotation = arms[0]
        else:
            return annotation, marks


def _bare(annotation: Any) -> Any:
    return _opened(annotation)[0]


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, UnionType)
