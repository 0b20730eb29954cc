"""How the model is put together: closed models, unions with one speaking branch, options that are never null.

Two unions only: by the YAML kind of a value, and by the one key that names a verb. Each picks one branch before it
validates, so that every error speaks of that branch alone; each exports `oneOf` without OpenAPI's discriminator.
This file must not know any verb.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

T = TypeVar("T")
JsonSchema = dict[str, Any]


class Closed(BaseModel):
    """A map whose keys are all known, and whose values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, protected_namespaces=())

    @classmethod
    def known_keys(cls) -> tuple[str, ...]:
        """The keys as people write them."""
        return tuple(field.alias or name for name, field in cls.model_fields.items())

    def has(self, name: str) -> bool:
        """Whether the file itself says this (by the attribute's name)."""
        return name in self.model_fields_set


def wrong(code: str, message: str, remedy: str = "") -> PydanticCustomError:
    """An error whose words are ours; braces in them stand for themselves."""
    return PydanticCustomError(code, "{said}", {"said": message, "remedy": remedy})


def kind(value: object) -> str:
    """A value's kind in the words of the error messages."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return {str: "a text", list: "a list", tuple: "a list", dict: "a map"}.get(type(value), "a map")


class NotNull:
    """Marks an option that may be left out but never be null (`x: Maybe[T] = None`)."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema = handler(source)
        inner: CoreSchema = schema["schema"] if schema["type"] == "nullable" else schema  # type: ignore[typeddict-item]
        return inner


@dataclass(frozen=True)
class ByKind:
    """A union picked by the value's kind: `Annotated[str | tuple[str, ...], ByKind(text=0, list=1)]`, arm by arm."""

    arms: tuple[str, ...]  # "text", "list", "map", "number", "flag", "nothing", in the order of the union
    what: str = ""
    spoken: bool = False  # a text that is said: its number has a second way to be written, its null a usual cause

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices = {f"<{arm}>": handler.generate_schema(each) for arm, each in zip(self.arms, get_args(source))}
        return _picked(choices, self._pick, self._check)

    def _pick(self, value: object) -> str:
        return f"<{_ARM.get(kind(value), 'map')}>"

    def _check(self, value: object) -> object:
        if _ARM.get(kind(value), "map") in self.arms:
            return value
        if self.spoken and value is None:
            raise wrong("no-text", "no text; # starts a comment", 'quote a text that is empty or holds #: "..."')
        want = self.what or " or ".join(_SAID.get(arm, "null") for arm in self.arms)
        if self.spoken and kind(value) == "a number":
            raise wrong("type", f"expected {want}, got a number",
                        f'write "{value}"; for a real number use delta: {{content: {value}}}')  # fmt: skip
        raise wrong("type", f"expected {want}, got {kind(value)}", wanted(value, "text" in self.arms))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        return _plain_one_of(handler(schema))


_SAID = {"text": "a text", "list": "a list", "map": "a map", "number": "a number", "flag": "true or false"}
_ARM = {said: arm for arm, said in _SAID.items()} | {"nothing": "nothing"}


def wanted(value: object, text: bool) -> str:
    """What to write instead of a value of the wrong kind."""
    if value is None:
        return "no value; # starts a comment. Leave the key out, or write a value"
    if text and isinstance(value, bool | int | float):
        said = str(value).lower() if isinstance(value, bool) else value
        return f'quote it: "{said}"'
    return ""


@dataclass(frozen=True)
class ByVerb:
    """A union of closed models picked by the verb among a map's keys.

    Each model names its verbs in `VERBS` (several for one that may hold them together) and may name `BARE`, the verbs
    that can stand as a plain word, without a value.
    """

    what: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        models = get_args(source)
        table = {verb: model for model in models for verb in model.VERBS}
        bare = {verb for model in models for verb in getattr(model, "BARE", ())}
        choices = {f"<{model.VERBS[0]}>": handler.generate_schema(model) for model in models}

        def check(value: object) -> object:
            return self._check(value, table, bare)

        def pick(value: object) -> str:
            if isinstance(value, BaseModel):
                return f"<{type(value).VERBS[0]}>"  # type: ignore[attr-defined]  # one of our own models
            verb = next(key for key in value if key in table)  # type: ignore[attr-defined]  # a map: `check` saw to it
            return f"<{table[verb].VERBS[0]}>"

        return _picked(choices, pick, check, {"bare": sorted(bare), "what": self.what})

    def _check(self, value: object, table: dict[str, Any], bare: set[str]) -> object:
        if isinstance(value, BaseModel):
            return value
        if isinstance(value, str) and value in bare:
            return {value: None}
        if not isinstance(value, dict):
            raise _unknown(self.what, value, table)
        found = [key for key in value if key in table]
        models = {table[key] for key in found}
        if not found:
            odd = next((key for key in value), "")
            raise PydanticCustomError("no_verb", "{said}", {"said": odd, "what": self.what, "verbs": list(table)})
        if len(models) > 1:
            other = next(key for key in found if table[key] is not table[found[0]])
            raise PydanticCustomError(
                "two_verbs", "{said}", {"said": other, "what": self.what, "first": found[0], "remedy": ""}
            )
        return value

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchema:
        out = _plain_one_of(handler(schema))
        meta = schema.get("metadata") or {}
        if meta.get("bare"):
            out["oneOf"].append({"title": f"bare {self.what}", "enum": meta["bare"]})
        return out


def _unknown(what: str, value: object, table: dict[str, Any]) -> PydanticCustomError:
    if isinstance(value, str) and value in table:
        return wrong("no-value", f"'{value}' needs a value", f"write {value}: ...")
    if isinstance(value, str):
        return PydanticCustomError("no_verb", "{said}", {"said": value, "what": what, "verbs": list(table)})
    return wrong("type", f"expected a {what}, got {kind(value)}", f"a {what} is a map of one of: {', '.join(table)}")


def _picked(
    choices: dict[str, CoreSchema], pick: Callable[[Any], str], check: Callable[[Any], Any], metadata: Any = None
) -> CoreSchema:
    union = core_schema.tagged_union_schema(choices=choices, discriminator=pick)  # type: ignore[arg-type]
    return core_schema.no_info_before_validator_function(check, union, metadata=metadata)


def _plain_one_of(out: JsonSchema) -> JsonSchema:
    out.pop("discriminator", None)
    return out
