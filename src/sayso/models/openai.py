"""Any endpoint that speaks OpenAI's chat protocol: OpenAI, vLLM, llama.cpp, Ollama, LM Studio, …

Compatible servers differ in what they refuse, how they fail and what they leave out. This file turns every case into
one of three outcomes: text with its usage, `ModelUnavailable` before the first text, `ModelBroke` after it. Waiting
for the server is marked with the clock's `real()`, so simulated time follows the wall meanwhile. A key goes from the
environment to the client and nowhere else: errors are raised afresh, never chained to one that holds a request.
"""

import asyncio
import base64
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import openai

from sayso.clock import current
from sayso.errors import ModelBroke, ModelUnavailable, UsageError
from sayso.models.bounded_http import BoundedTransport, ResponseTooLarge, ended
from sayso.models.replies import Answer, conceded, hint, likeliest, pause_s, scores, told, without
from sayso.models.tokens import counted
from sayso.roles import Chunk, Prompt

OPENAI_URL = "https://api.openai.com/v1"

NO_KEY = "none"
"""Sent where no key is known: the client insists on one, local servers ignore it."""

NO_LOGPROBS = "it gives no log-probabilities, so it cannot score; vLLM, llama.cpp and OpenAI's chat models do"

PAUSE_MAX_S = 20.0
"""A server that asks for a longer pause is taken for unavailable: a robot in the air cannot wait."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait, in seconds: for a connection, for the first text, between two pieces of text, for the usage
    after the last, and for one answer as a whole, thinking included (`answer_s`). `retries` happen only before the
    first text; the pause between them doubles each time."""

    connect_s: float = 5.0
    first_token_s: float = 30.0
    between_tokens_s: float = 15.0
    tail_s: float = 2.0
    answer_s: float = 120.0
    retries: int = 2
    pause_s: float = 0.5


THINKING_TOKENS = 4096
"""Added to what an answer may have, for a model that was seen to think: its thoughts count there too."""

PICTURE_PX = 512
"""What is longer is cut into tiles of this size by those who count them; one shows what a robot's camera does."""


class _Again(Exception):
    """An attempt failed before any text, in a way that another one may not."""

    def __init__(self, reason: str, pause_s: float | None = None) -> None:
        super().__init__(reason)
        self.pause_s = pause_s


class Endpoint:
    """The model `name` at `base_url` (None: `OPENAI_BASE_URL`, or OpenAI's own).

    `api_key` None takes `OPENAI_API_KEY`; "" sends none. `grammar_field` names the body field in which this server
    takes GBNF (`guided_grammar` for vLLM, `grammar` for llama.cpp; dots descend); empty sends no grammar. Call
    `close()` on the loop that used it. Whether the model behind it takes pictures, who names it for that knows.
    """

    picture_px = PICTURE_PX

    def __init__(
        self,
        name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        patience: Patience | None = None,
        grammar_field: str = "",
    ) -> None:
        self.name = name
        self.base_url = _address(base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL)
        self._key = _key(os.environ.get("OPENAI_API_KEY", "") if api_key is None else api_key)
        self._patience = patience or Patience()
        self._grammar_field = grammar_field
        self._refused: tuple[str, ...] = ()
        self._room, self._opened = 0, False
        self._client: openai.AsyncOpenAI | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.name!r}, {self.base_url!r})"

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Chunk, None]:
        """The answer as it arrives; the last chunk carries the usage, counted here where the server tells none.

        Raises `ModelUnavailable` before the first text, after retries; `ModelBroke` with what was received after it.
        """
        reasons = list[str]()
        while True:
            answer = Answer(prompt, opened=self._opened)
            try:
                async with aclosing(self._attempt(prompt, answer)) as pieces:
                    async for piece in pieces:
                        yield piece
                break
            except _Again as reason:
                again = reason
            await self._pause(reasons, again)
        yield Chunk("", answer.usage or counted(prompt, answer.thought + answer.text))

    async def score(self, prompt: Prompt, continuations: Sequence[str]) -> list[float]:
        """Log-probability of each continuation by its first token, which must tell them apart: let letters stand for
        longer ones. Raises `ModelUnavailable`, also where the server gives no log-probabilities."""
        request = {"max_tokens": 1, "logprobs": True, "top_logprobs": 20, "stream": False}
        reasons = list[str]()
        while True:
            try:
                tokens = likeliest(await self._ask(prompt, request))
                break
            except _Again as reason:
                again = reason
            await self._pause(reasons, again)
        if not tokens:
            raise self._unavailable(NO_LOGPROBS)
        return scores(tokens, continuations)

    async def models(self) -> list[str]:
        """The names of the models that the server offers. Raises `ModelUnavailable`; never retries."""
        problem: Exception
        try:
            with current().real():
                client = await self._connected()
                async with asyncio.timeout(2 * self._patience.connect_s):
                    listed: Any = await client.models.list()
            return [str(model.id) for model in listed.data]
        except TimeoutError:
            problem = self._unavailable("no list of models in time")
        except (openai.OpenAIError, ValueError) as error:
            problem = self._judged(error)
        except (TypeError, AttributeError):
            problem = self._unavailable("it answers, but not with a list of models: is the address complete (…/v1)?")
        raise self._unavailable(str(problem)) if isinstance(problem, _Again) else problem

    async def close(self) -> None:
        """Give the connections back. The model may be used again afterwards."""
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.close()

    async def _attempt(self, prompt: Prompt, answer: Answer) -> AsyncGenerator[Chunk, None]:
        """One request, piece by piece. Raises `_Again`, `ModelUnavailable` or `ModelBroke`."""
        loop = asyncio.get_running_loop()
        with current().real():
            await self._connected()
        began_s = loop.time()
        tokens = prompt.max_tokens + self._room
        options = {"stream": True, "stream_options": {"include_usage": True}, "max_tokens": tokens}
        events = await self._ask(prompt, options)
        try:
            await self._expect_events(events)
            waited_s = loop.time() - began_s
            left_s = self._patience.first_token_s - waited_s
            while True:
                began_s = loop.time()
                piece = await self._next(events, answer, left_s)
                took_s = loop.time() - began_s
                waited_s += took_s
                left_s = self._left_s(answer, bool(piece and piece.text), left_s - took_s)
                left_s = min(left_s, self._patience.answer_s - waited_s)
                if piece is None:
                    break
                if piece.text or piece.thought:
                    yield piece
        finally:
            with current().real():
                await events.close()
        if (piece := answer.end()) != Chunk(""):
            yield piece
        room, self._room = self._room, THINKING_TOKENS if answer.thought or answer.was_opened else self._room
        self._opened = answer.was_opened
        if problem := answer.problem():
            anew = answer.opened or (answer.finish == "length" and not room)
            raise self._cut(problem, answer, again=answer.only_thought and anew)

    async def _next(self, events: Any, answer: Answer, left_s: float) -> Chunk | None:
        """The next piece; None at the end. Time that the reader takes between two pieces does not count."""
        problem: Exception
        try:
            with current().real():
                async with asyncio.timeout(max(left_s, 0.0)):
                    return answer.read(await anext(events))
        except StopAsyncIteration:
            answer.whole = answer.whole or ended(events.response)
            return None
        except TimeoutError:
            if answer.finish:
                return None
            problem = self._cut("silent for too long", answer, again=True)
        except (openai.APIConnectionError, ResponseTooLarge) as error:
            much = _too_much(error)
            problem = self._cut(much or "the connection broke", answer, again=not much)
        except openai.APIError as error:
            problem = self._cut(f"the server reported: {told(error.message, error.body)}", answer, again=True)
        except (ValueError, TypeError, AttributeError, RecursionError):
            problem = self._cut("what arrives is not a chat stream", answer)
        raise problem

    def _left_s(self, answer: Answer, came: bool, left_s: float) -> float:
        """How long the next text may take. Only text and thinking show that a model works; pings do not."""
        if answer.finish:
            return min(left_s, self._patience.tail_s)
        if came:
            return self._patience.between_tokens_s
        return self._patience.first_token_s if answer.thinking else left_s

    async def _expect_events(self, events: Any) -> None:
        """Refuse an answer that is a page or a document instead of a stream."""
        kind = events.response.headers.get("content-type", "text/event-stream").partition(";")[0]
        if kind != "text/event-stream":
            raise self._unavailable(f"it answers with {kind} instead of a stream of events: is the address complete?")

    def _cut(self, reason: str, answer: Answer, *, again: bool = False) -> Exception:
        """The outcome of an answer that goes no further."""
        if answer.text.strip():
            return ModelBroke(self._shown(reason), answer.text)
        return _Again(reason) if again else self._unavailable(reason)

    async def _pause(self, reasons: list[str], again: _Again) -> None:
        """Wait before the next attempt. Raises `ModelUnavailable` with all `reasons` where there is none: a server with
        a fault often hangs up on the next one."""
        pause_s = self._patience.pause_s * 2 ** len(reasons) if again.pause_s is None else again.pause_s
        reasons.append(str(again))
        if len(reasons) > self._patience.retries or pause_s > PAUSE_MAX_S:
            raise self._unavailable(f"{'; then '.join(dict.fromkeys(reasons))} (tried {len(reasons)} ×)")
        with current().real():
            await asyncio.sleep(pause_s)

    async def _ask(self, prompt: Prompt, options: Mapping[str, Any]) -> Any:
        """Send the request. A parameter that the server refuses is conceded, for good where that helped."""
        request, refused = {**options, "temperature": 0.0}, self._refused
        while True:
            complaint = ""
            try:
                answer = await self._send(prompt, without(request, refused))
                self._refused = refused
                return answer
            except TimeoutError:
                problem: Exception = _Again(f"no answer within {self._patience.first_token_s:g} s")
            except (openai.OpenAIError, ValueError, RecursionError, ResponseTooLarge) as error:
                problem = self._judged(error)
                if isinstance(error, openai.BadRequestError | openai.UnprocessableEntityError):
                    complaint = str(error.body)
            if guide := next((name for name in self._guide(prompt) if name in complaint), ""):
                advice = f"leave ?grammar={self._grammar_field} out of the address if it takes none there"
                raise self._unavailable(f"it refuses the grammar in {guide!r} ({advice}): {complaint}")
            less = conceded(complaint, set(request) - set(refused)) if complaint else None
            if less is None:
                raise problem
            refused = (*refused, less)

    async def _send(self, prompt: Prompt, body: Mapping[str, Any]) -> Any:
        messages: Any = [{"role": role, "content": text} for role, text in prompt.messages]
        if prompt.picture:
            url = f"data:image/jpeg;base64,{base64.b64encode(prompt.picture).decode()}"
            shown = {"type": "image_url", "image_url": {"url": url}}
            messages[-1]["content"] = [{"type": "text", "text": messages[-1]["content"]}, shown]
        guide = self._guide(prompt) or None
        with current().real():
            chat = (await self._connected()).chat.completions
            async with asyncio.timeout(self._patience.first_token_s):
                return await chat.create(model=self.name, messages=messages, extra_body=guide, **body)

    def _guide(self, prompt: Prompt) -> dict[str, Any]:
        """The field that holds the model to a grammar, where the server takes one; else nothing."""
        return _nested(self._grammar_field, prompt.grammar) if self._grammar_field and prompt.grammar else {}

    async def _connected(self) -> openai.AsyncOpenAI:
        """The client of the running loop. A thread builds it: that takes a while, in which a stop must be heard."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            made = await asyncio.to_thread(self._make_client)
            if self._client is None or self._loop is not loop:
                self._client, self._loop = made, loop
        return self._client

    def _make_client(self) -> openai.AsyncOpenAI:
        """A client, ready for its first request. Silence is timed here, not there, since pings count as life there."""
        timeout = openai.Timeout(None, connect=self._patience.connect_s)
        key = self._key or NO_KEY
        http = openai.DefaultAsyncHttpxClient(transport=BoundedTransport(), timeout=timeout)
        client = openai.AsyncOpenAI(
            api_key=key, base_url=self.base_url, timeout=timeout, max_retries=0, http_client=http
        )
        _ = client.chat.completions, client.models  # modules that are loaded at first sight
        return client

    def _judged(self, error: Exception) -> Exception:
        """What to do about an error before the first text: try again, or tell the person."""
        if isinstance(error, openai.APIStatusError):
            reason = f"{error.status_code}, {hint(error.status_code)}; {self._shown(error.message)}"
            passing = error.status_code in (408, 409, 429) or error.status_code >= 500
            if passing and error.code != "insufficient_quota":
                return _Again(reason, pause_s(error.response.headers))
            return self._unavailable(reason)
        if isinstance(error, openai.APITimeoutError):
            return _Again(f"no connection within {self._patience.connect_s:g} s")
        if much := _too_much(error):
            return self._unavailable(much)
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__
            # Other causes may quote the request, and with it the key.
            detail = f": {cause}" if type(cause).__name__ == "ConnectError" and str(cause) else ""
            return _Again(f"no connection{detail}; is the server running?")
        return self._unavailable(f"it answers with something that is not the chat protocol ({type(error).__name__})")

    def _unavailable(self, reason: str) -> ModelUnavailable:
        return ModelUnavailable(self._shown(f"{self.name} at {self.base_url}: {reason}"))

    def _shown(self, text: str) -> str:
        """Text fit for a person: short, and without the key, which servers like to quote back."""
        clean = text.replace(self._key, "***") if len(self._key) > 3 else text
        return " ".join(clean.split())[:500]


def _address(url: str) -> str:
    """The address, if it is one; a password in it would end up in messages and in the journal."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError("the address of a model endpoint looks like http://localhost:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise UsageError("the address of a model endpoint must not hold a password; put the key in OPENAI_API_KEY")
    return url


def _key(text: str) -> str:
    """The key without the line end that files add. What cannot stand in a header would be quoted in an error."""
    key = text.strip()
    if not (key.isascii() and (key.isprintable() or not key)):
        raise UsageError("the API key holds characters that no key has; check OPENAI_API_KEY")
    return key


def _nested(field: str, value: str) -> dict[str, Any]:
    """`a.b` and a value to `{"a": {"b": value}}`."""
    head, _, rest = field.partition(".")
    return {head: _nested(rest, value) if rest else value}


def _too_much(error: BaseException) -> str:
    """Which bound was passed, where that is why; this text is ours, and quotes nothing."""
    return next((str(e) for e in (error, error.__cause__) if isinstance(e, ResponseTooLarge)), "")
