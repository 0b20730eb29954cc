"""An examination -> JUnit's XML, as CI systems read it: a suite a kind, a case a case.

A case that makes the exit code 1 is a failure, a broken one an error, one that still waits is skipped. Amber that is no
failure says why in its system-out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from fakeserver.conform.examination import Examination, Result
from fakeserver.conform.report.words import cases, command, plain, tail

_TAGS = {"broken": "error", "waiting": "skipped"}


def report(examined: Examination) -> str:
    name = f"fakeserver conform ({cases(examined)})" if examined.interrupted else "fakeserver conform"
    said = {"name": name, **_counts(examined, examined.results), "time": f"{examined.seconds:.3f}"}
    root = Element("testsuites", said)
    for kind, results in groupby(examined.results, key=lambda result: result.case.kind):
        _suite(root, kind, examined, list(results))
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _tag(examined: Examination, result: Result) -> str:
    return _TAGS.get(result.mark) or ("failure" if examined.fails(result) else "")


def _counts(examined: Examination, results: Iterable[Result]) -> dict[str, str]:
    tags = [_tag(examined, result) for result in results]
    return {"tests": str(len(tags)), "failures": str(tags.count("failure")), "errors": str(tags.count("error"))}


def _suite(root: Element, kind: str, examined: Examination, results: list[Result]) -> None:
    skipped, seconds = sum(result.mark == "waiting" for result in results), sum(result.seconds for result in results)
    counts = _counts(examined, results) | {"skipped": str(skipped), "time": f"{seconds:.3f}"}
    suite = SubElement(root, "testsuite", {"name": plain(kind), **counts})
    _properties(suite, {"command": command(examined), **({"partial": cases(examined)} if examined.interrupted else {})})
    for result in results:
        _case(suite, result, _tag(examined, result))


def _case(suite: Element, result: Result, tag: str) -> None:
    case = SubElement(suite, "testcase", name=plain(result.case.selector), classname=plain(result.case.kind),
                      time=f"{result.seconds:.3f}")  # fmt: skip
    _properties(case, {"mark": result.mark, "attempts": str(result.attempts), "about": result.case.about})
    if tag:
        reasons = [plain(reason) for reason in result.judged.reasons]
        attributes = {"message": "; ".join(reasons)} | ({} if tag == "skipped" else {"type": result.mark})
        SubElement(case, tag, attributes).text = "" if tag == "skipped" else plain("\n".join(_evidence(result)))
    elif result.judged.reasons:
        SubElement(case, "system-out").text = plain("\n".join(_evidence(result)))
    if result.stderr:
        SubElement(case, "system-err").text = tail(result.stderr)


def _evidence(result: Result) -> Iterable[str]:
    yield from result.judged.reasons
    for expected in result.expected:
        yield f"expected: {_json(dict(expected))}"
    if result.outcome:
        yield f"read: {_json(result.outcome.model_dump(mode='json', by_alias=True, exclude_defaults=True))}"
    for found in result.findings:
        yield f"{found.code}: {found.says} {_json(dict(found.evidence))}"


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 2000 else f"{text[:1900]} … {text[-100:]}"


def _properties(parent: Element, said: dict[str, str]) -> None:
    held = SubElement(parent, "properties")
    for name, value in said.items():
        SubElement(held, "property", name=name, value=plain(value))
