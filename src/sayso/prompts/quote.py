"""Quoting of text from outside, and templates with their fields filled.

A label on a box, a plan that echoes it, an instruction pasted from a web page: each may hold lines that look like the
prompt's own, or the marks with which chat templates separate roles. Every line is led in by `| `, whatever kind of
line break made it, and those marks are broken up. What a person meant stays readable. Templates are data files.
"""

import functools
import re
import unicodedata
from importlib import resources

from sayso.roles import Brief
from sayso.tables.guidance import Guidance, read_guidance

_ROLE_MARK = re.compile(r"<(?=[<|/a-zA-Z])|\[(?=/?(?:INST|SYS|TOOL))")
"""The beginnings of chat templates' marks: <|im_start|>, </s>, <start_of_turn>, [INST], <<SYS>>."""


def quote(text: str, limit: int = 4000) -> str:
    """Each line of `text` behind `| `; longer text keeps its beginning and end."""
    if len(text) > limit:
        text = f"{text[: limit // 2]} [...] {text[-limit // 2 :]}"
    lines = [_line(line) for line in text.splitlines() if line.strip()] or [""]
    return "\n".join(f"| {line}".rstrip() for line in lines)


def quote_each(texts: tuple[str, ...], keep: int = 40) -> str:
    """Several short texts, each quoted; only the last `keep`."""
    left_out = [f"| ({len(texts) - keep} earlier ones left out)"] if len(texts) > keep else []
    return "\n".join([*left_out, *(quote(text, 400) for text in texts[-keep:])])


def wished(heading: str, brief: Brief) -> str:
    """What is wanted, under its heading. Where something was asked back, the questions stand before it: they may echo
    what somebody wrote on a box, and only the answers are the person's."""
    held = f"\nHeld below you already, whatever you plan:\n{quote_each(brief.how)}" if brief.how else ""
    if brief.wish is None:
        return f"{heading}:\n{quote(brief.instruction)}{held}"
    asked = "\n".join(quote(f"{n}. {reply.question}", 400) for n, reply in enumerate(brief.wish.replies, 1))
    answers = "\n".join(quote(f"answer {n}: {reply.answer}") for n, reply in enumerate(brief.wish.replies, 1))
    return f"You asked back:\n{asked}\n{heading}:\n{quote(brief.wish.text)}\n{answers}{held}"


def _line(text: str) -> str:
    """One line without invisible characters, and with role marks broken up by a space."""
    visible = "".join(c for c in text.replace("\t", " ") if not unicodedata.category(c).startswith("C"))
    return _ROLE_MARK.sub(lambda mark: mark.group() + " ", visible)


GENERAL: Guidance = read_guidance(__package__, "general.toml")
"""What holds for every robot; its examples are for those whose kit brings none."""

_FIELD = re.compile(r"\{(\w+)\}")


@functools.cache
def text(name: str, package: str = "sayso.prompts") -> str:
    """A template in a package, its fields not yet filled."""
    return resources.files(package).joinpath(name).read_text("utf-8").strip()


def fill(template: str, **fields: str) -> str:
    """Put fields in their `{places}`, in one pass: what is put in is not read again. Other braces are MiniSpec."""
    return _FIELD.sub(lambda place: fields.get(place.group(1), place.group()), template)
