"""How the model is put together: closed models, unions with one speaking branch, options that are never null.

Two unions only: by the YAML kind of a value, and by the one key that names a verb. Each picks one branch before it
validates, so that every error speaks of that branch alone; each exports `oneOf` to the JSON Schema.
This file must not know any verb.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from fakeserver.script.problems import WRITTEN, a, either

JsonSchema = dict[str, Any]


class Closed(BaseModel):
    """A map whose keys are all known, and whose values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    VERBS: ClassVar[tuple[str, ...]] = ()  # the keys that say what this map is, one of which it must have
    BARE: ClassVar[tuple[str, ...]] = ()  # those of them that may stand as a plain word, without a value

    @classmethod
    def known_keys(cls) -> tuple[str, ...]:
        """The keys as people write them."""
        return tuple(field.alias or name for name, field in cls.model_fields.items())

    def has(self, name: str) -> bool:
        """Whether the file itself says this (by the attribute's name)."""
        return name in self.model_fields_set


def needs(**options: tuple[str, ...]) -> JsonSchema:
    """For the JSON Schema: these options stand beside one of these keys only."""
    return {"dependencies": {option: any_of(*keys) for option, keys in options.items()}}


def any_of(*keys: str) -> JsonSchema:
    """For the JSON Schema: one of these keys is there."""
    return {"anyOf": [{"required": [key]} for key in keys]}


def wrong(code: str, message: str, remedy: str = "", *inside: str | int) -> PydanticCustomError:
    """An error whose words are ours; `inside` leads from the value that is validated to the part that is wrong."""
    return PydanticCustomError(code, "{said}", {"said": message, "remedy": remedy, "inside": inside})


def kind(value: object) -> str:
    """A value's kind in the words of the error messages."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list | tuple) else "a map"


class NotNull:
    """Marks an option that may be left out but never be null (`x: Maybe[T] = None`)."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        inner: CoreSchema = schema["schema"] if schema["type"] == "nullable" else schema
        return inner


def tag(name: str) -> str:
    """The mark of a union's branch in pydantic's locations: nothing that could be a key of a file."""
    return f"\0{name}"


@dataclass(frozen=True)
class ByKind:
    """A union picked by the value's kind, arm by arm: `Annotated[str | tuple[str, ...], ByKind(("text", "list"))]`."""

    arms: tuple[str, ...]  # "text", "list", "map", "number", "flag", "nothing", in the order of the union
    what: str = ""
    spoken: bool = False  # a text that is said: its number has a second way to be written, its null a usual cause
    remedy: str = ""  # where the kinds alone do not tell what to write
    unit: bool = False  # a number is a text that lacks its unit, and the text's own check says so

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {tag(arm): handler.generate_schema(each) for arm, each in zip(self.arms, get_args(source))}
        return _picked(choices, lambda value: tag(self._arm(value)), self._check)

    def _arm(self, value: object) -> str:
        arm = _ARM.get(kind(value), "nothing")
        return "text" if self.unit and arm == "number" else arm

    def _check(self, value: object) -> object:
        if self._arm(value) in self.arms:
            return value
        if self.spoken and value is None:
            raise wrong("no-text", "no text; # starts a comment", 'quote a text that is empty or holds #: "..."')
        want = self.what or either([_SAID[arm] for arm in self.arms])
        remedy = (value is not None and self.remedy) or wanted(value, *self.arms)
        if self.spoken and kind(value) == "a number":
            remedy = f'write "{WRITTEN}"; for a real number use delta: {{content: {WRITTEN}}}'
        raise wrong("type", f"expected {want}, got {kind(value)}", remedy)


_SAID = {"text": "a text", "list": "a list", "map": "a map", "number": "a number", "flag": "true or false",
         "nothing": "null"}  # fmt: skip
_ARM = {said: arm for arm, said in _SAID.items()}


def wanted(value: object, *arms: str) -> str:
    """What to write instead of a value of the wrong kind, where one of these kinds belongs."""
    if value is None:
        return "there is no value (# starts a comment): write one, or leave the key out"
    if "text" in arms and isinstance(value, bool | int | float):
        return f'quote it: "{WRITTEN}"'
    if "list" in arms:
        return f"write [{WRITTEN}]" if isinstance(value, str) else "a list has one entry a line, each after a dash"
    if "map" in arms:
        return "a map is written {key: value}"
    return "write a text" if arms else ""


@dataclass(frozen=True)
class ByVerb:
    """A union of closed models picked by the verb among a map's keys."""

    what: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        models: tuple[type[Closed], ...] = get_args(source)
        table = {verb: model for model in models for verb in model.VERBS}
        bare = sorted({verb for model in models for verb in model.BARE})
        choices = {tag(model.VERBS[0]): handler.generate_schema(model) for model in models}

        def check(value: object) -> object:
            return self._check(value, table, bare)

        def pick(value: Any) -> str:
            verb = next(key for key in value if key in table)
            return tag(table[verb].VERBS[0])

        return _picked(choices, pick, check, {"bare": bare, "what": self.what})

    def _check(self, value: object, table: dict[str, type[Closed]], bare: list[str]) -> object:
        if isinstance(value, str) and value in bare:
            return {value: None}
        if not isinstance(value, dict):
            raise _no_map(self.what, value, table)
        found = [key for key in value if key in table]
        if not found:
            raise PydanticCustomError(
                "no_verb", "{said}", {"said": _meant(value, table), "what": self.what, "verbs": list(table)}
            )
        other = next((key for key in found if table[key] is not table[found[0]]), None)
        if other is not None:
            remedy = "make two steps of it" if self.what == "step" else "keep one of them"
            raise wrong("two-verbs", f"'{found[0]}' and '{other}' cannot share {a(self.what)}", remedy, other)
        return value

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        out = handler(schema)
        meta = schema.get("metadata") or {}
        if meta.get("bare"):
            out["oneOf"].append({"title": f"bare {self.what}", "enum": meta["bare"]})
        return out


def _meant(value: dict[str, object], table: dict[str, type[Closed]]) -> str:
    """The key that most likely was to be the verb: like one, or at least no other key's name."""
    known = {key for model in table.values() for key in model.known_keys()}
    odd = [key for key in value if key not in known]
    like = [key for key in odd if get_close_matches(key, table, 1, 0.6)]
    return next(iter([*like, *odd, *value]), "")


def _no_map(what: str, value: object, table: dict[str, type[Closed]]) -> PydanticCustomError:
    if isinstance(value, str) and value in table:
        return wrong("no-value", f"'{value}' needs a value", f"write {value}: ...")
    if isinstance(value, str) and what != "scenario":  # a whole file of text is no misspelt word
        return PydanticCustomError("no_verb", "{said}", {"said": value, "what": what, "verbs": list(table)})
    return wrong("type", f"expected {a(what)}, got {kind(value)}", f"{a(what)} is a map with {either(list(table))}")


def _picked(
    choices: dict[str, CoreSchema], pick: Callable[[Any], str], check: Callable[[Any], Any], metadata: Any = None
) -> CoreSchema:
    union = core_schema.tagged_union_schema(choices=choices, discriminator=pick)
    return core_schema.no_info_before_validator_function(check, union, metadata=metadata)
