"""Language models: the embedded one, any OpenAI-compatible endpoint, a script.

`make` turns what a person types after `--model` into a model; `known` lists what can be typed. The rooms behind are
imported when they are asked for, since the client of the large endpoints takes a second to load.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit, urlunsplit

from sayso.errors import UsageError
from sayso.models.fallback import FallbackModel
from sayso.plugins.loading import checked, is_file, made
from sayso.roles import Model
from sayso.tables import toml

if TYPE_CHECKING:
    from sayso.models.openai import Endpoint, Patience


GROUP = "sayso.models"
"""Entry points of models that packages bring along: what makes one, without arguments."""


def known() -> list[tuple[str, str]]:
    """The spec of every model that `make` reads, with what it is and what is missing for it."""
    forms = toml(__package__, "known.toml")
    brought = {e.name: f"brought along by {e.value}" for e in sorted(entry_points(group=GROUP), key=lambda e: e.name)}
    missing = {} if _connected() else {"openai:NAME": " (not ready: set OPENAI_API_KEY)"}
    return [(spec, says + missing.get(spec, "")) for spec, says in (forms["ours"] | brought | forms["yours"]).items()]


def _connected() -> bool:
    """Whether the environment names an endpoint, or holds the key of OpenAI's."""
    return bool(os.environ.get("OPENAI_API_KEY") or os.environ.get("OPENAI_BASE_URL"))


def make(spec: str, double: Callable[[str], Model | None] = lambda name: None, dice: int = 0) -> Model:
    """The model that `spec` names. Raises `UsageError`, which says what can be written, for anything else.

    `double` knows names besides; `dice` seeds what is drawn.
    `http://HOST:PORT/v1?grammar=FIELD#NAME` also sends the grammar of the plan in that field of the request.
    """
    if known_model := double(spec):
        return known_model
    if is_file(spec):
        return made(spec, Model)
    if "," in spec:
        return FallbackModel([make(one.strip(), double, dice) for one in spec.split(",")])
    for brought in entry_points(group=GROUP, name=spec):
        return checked(brought.load()(), Model, brought.value)
    kind, _, rest = spec.partition(":")
    if kind in ("http", "https", "openai"):
        return endpoint(spec)
    if kind == "pocket":
        from sayso.models.pocket import Pocket, net

        return Pocket(net.load(Path(rest)) if rest else None)
    if spec == "signs":
        from sayso.models.ocr import TextInPicture

        return TextInPicture()
    if kind == "scripted" and rest:
        from sayso.models.scripted import read_script

        return read_script(Path(rest))
    if kind == "modelled" and rest:
        from sayso.models.latency import ModelledLatency

        return ModelledLatency(make(rest, double, dice))
    if kind == "corrupted" and rest:
        from sayso.models.corrupted import read_corrupted

        return read_corrupted(rest, lambda inner: make(inner, double, dice), dice)
    forms = ", ".join(form for form, _ in known())
    raise UsageError(f"there is no model {_safe(spec)!r}; there are {forms}; see `sayso models`")


def endpoint(spec: str, patience: Patience | None = None, grammar: str = "") -> Endpoint:
    """The endpoint of `openai:NAME` or `http://HOST:PORT/v1#NAME`; `grammar` is the field for one, unless in `spec`."""
    from sayso.models.openai import Endpoint

    if spec.startswith("openai:"):
        name = spec.removeprefix("openai:")
        if not name:
            raise UsageError("name a model after openai:, such as openai:gpt-4o")
        if not _connected():
            raise UsageError("openai: needs a key in OPENAI_API_KEY, or a server of your own in OPENAI_BASE_URL")
        return Endpoint(name, patience=patience, grammar_field=grammar)
    url = urlsplit(spec)
    if not url.fragment:
        raise UsageError(f"name the model after a #, such as {_safe(spec)}#llama3")
    query = parse_qs(url.query)
    if unknown := set(query) - {"grammar"}:
        raise UsageError(f"the address of a model takes ?grammar=FIELD and nothing else, not {sorted(unknown)[0]!r}")
    address = urlunsplit((url.scheme, url.netloc, url.path.rstrip("/"), "", ""))
    key = None if url.scheme == "https" or _is_near(url.hostname or "") else ""
    field = query.get("grammar", [grammar])[0]
    return Endpoint(url.fragment, address, key, patience=patience, grammar_field=field)


async def listed(spec: str, patience: Patience | None = None) -> str:
    """The models that the endpoint in `spec` offers, in words for a person. A name is not needed here.

    Raises `UsageError` and `ModelUnavailable`.
    """
    model = endpoint(spec if "#" in spec or spec.startswith("openai:") else f"{spec}#?", patience)
    try:
        names = sorted(await model.models())
    finally:
        await model.close()
    if model.name in ("?", *names):
        return f"{model.base_url} answers; it lists {len(names)} models"
    shown = ", ".join(names[:8]) or "none"
    return f"{model.base_url} answers, but lists no model {model.name!r}; it lists {shown}"


def _is_near(host: str) -> bool:
    """Whether a host is on this machine or in this house, so that a key may travel there unencrypted."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".localhost"))
    return address.is_private or address.is_loopback or address.is_link_local


def _safe(spec: str) -> str:
    """A model's name as it may be shown: without what stands before an @, which may be a password."""
    scheme, at, rest = spec.rpartition("@")
    return f"{scheme.partition('//')[0]}//...@{rest}" if at else spec
