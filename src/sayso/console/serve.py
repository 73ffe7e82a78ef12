"""The server of the console, `sayso serve`: routes and pages in one process, on one event loop with the robot."""

import asyncio
import contextlib
import secrets
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import resources
from pathlib import Path

import numpy as np
from fastapi import Request, Response
from fastapi.responses import FileResponse, JSONResponse
from nicegui import app, ui

from sayso.console.archive import lines
from sayso.console.camera import OFTEN_S, Camera, camera_thread
from sayso.console.choices import ConsoleSetup
from sayso.console.garbage import GarbageCollection, keep_apart
from sayso.console.station import Station
from sayso.console.views.page import Page
from sayso.ears import Recogniser, Sound, heard_here, recogniser, understood
from sayso.errors import SaysoError, UsageError
from sayso.memory.journal import Journal
from sayso.memory.pictures import kept_picture
from sayso.planners.reflex import urgent
from sayso.serving.access import MESSAGE_MAX_BYTES, NOTHING, WORD_MAX_BYTES, AccessMiddleware, AccessRule, is_near
from sayso.serving.fleet import joined

TIDY_S = 0.1
TAB_KEPT_S = 60.0
"""NiceGUI has a record for every browser tab, which it keeps for 30 days; these pages put nothing in it."""


def serve(
    choice: ConsoleSetup, journal: Path, host: str, port: int, token: str, told: Callable[[str], None], fleet: str = "",
    ears: str = "",
) -> None:  # fmt: skip
    """Serve until Ctrl-C, which lands the robot. `told` hears the address. Raises `UsageError`."""
    _must_be_free(host, port)
    rule = make_rule(host, token)
    there = [choice.loaded()]  # what is not there is told before anything is served
    keep_apart()
    app.storage.max_tab_storage_age = TAB_KEPT_S
    with Journal(journal) as kept, contextlib.ExitStack() as joins:
        pictures = journal.parent / "pictures"
        station = Station(choice, make=lambda chosen: chosen.agent(kept, pictures, there.pop() if there else None))
        joins.enter_context(joined(fleet, station.stop_soon))
        cameras: list[Camera] = []
        root = build(station, journal, rule, cameras, ears)
        _attend(station, cameras, partial(told, _address(host, port, rule)))
        with contextlib.suppress(KeyboardInterrupt):  # the robot is at rest by then
            ui.run(
                root, host=host, port=port, title="sayso", dark=None, language="en-US", show=False, reload=False,
                tailwind=False, favicon="🛩", show_welcome_message=False, message_history_length=200,
                reconnect_timeout=30.0,
                access_log=False, proxy_headers=False, server_header=False, ws_max_size=MESSAGE_MAX_BYTES,
                timeout_graceful_shutdown=2, uvicorn_logging_level="critical", ws_per_message_deflate=False,
            )  # fmt: skip


def make_rule(host: str, token: str) -> AccessRule:
    """The access rule: this machine, and beyond it whoever knows the token, made up where none was given."""
    if is_near(host):
        return AccessRule(token=token)
    if token and len(token) < 16:
        raise UsageError("a token that guards a robot has at least 16 characters; left out, a good one is made up")
    return AccessRule(hosts=frozenset({"*"}), token=token or secrets.token_urlsafe(24))


def build(
    station: Station, journal: Path, rule: AccessRule, cameras: list[Camera], ears: str = ""
) -> Callable[[], None]:
    """Put everything on NiceGUI's app; the function that builds a page comes back. `cameras` holds one, or none."""
    app.add_middleware(
        AccessMiddleware, rule=rule, stop=lambda word: station.stop("key" if word == "key" else "button")
    )
    with resources.as_file(resources.files("sayso.console") / "static") as folder:
        app.add_static_files("/console", folder)
    _add_heartbeat(station)
    _add_ears(station, ears)
    _add_files(journal, cameras)

    def root() -> None:
        Page(station, journal, cameras)

    return root


def _address(host: str, port: int, rule: AccessRule) -> str:
    name = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/{f'?token={rule.token}' if rule.token else ''}"


def _attend(station: Station, cameras: list[Camera], ready: Callable[[], None]) -> None:
    """Open the station with the server, and bring the robot to rest with its end."""
    tasks: list[asyncio.Task[None]] = []
    tidy, thread = GarbageCollection(), camera_thread()

    async def begin() -> None:
        tidy.begin()  # before there is a robot: another one may take its place, and then it has to go
        await station.open()
        tasks.append(asyncio.create_task(_watch(station, cameras, thread, tidy)))
        tasks.append(asyncio.create_task(_keep_tidy(station, tidy)))
        ready()

    async def end() -> None:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        tidy.end()
        for camera in cameras:
            await asyncio.to_thread(camera.close)
        thread.shutdown()
        await station.close()

    app.on_startup(begin)
    app.on_delete(tidy.soon)  # a page that does not come back is some megabytes
    app.on_shutdown(end)


async def _keep_tidy(station: Station, tidy: GarbageCollection) -> None:
    while True:
        await asyncio.sleep(TIDY_S)
        tidy.some(station.running)


async def _watch(station: Station, cameras: list[Camera], thread: ThreadPoolExecutor, tidy: GarbageCollection) -> None:
    """Take pictures while somebody looks; another world gets another camera."""
    place = None
    while True:
        await asyncio.sleep(OFTEN_S)
        if station.place is not place:
            place = station.place
            for camera in cameras:
                await asyncio.to_thread(camera.close)
            world = station.agent.world if station.ready else None
            cameras[:] = [Camera(world, station.choice.make_world, thread)] if world else []
            for camera in cameras:
                station.agent.robot.photograph = camera.still
                await camera.still()  # the first one opens the renderer, which takes longest
            tidy.soon()
        if cameras and station.seats.taken:
            await cameras[0].shoot(station.believed())


def _add_heartbeat(station: Station) -> None:
    """What works without the page's own connection, as the stop does, which the gate hears."""

    @app.post("/alive", status_code=NOTHING)
    async def alive(request: Request) -> Response:
        station.alive(await _short(request))
        return Response(status_code=NOTHING)


async def _short(request: Request) -> str:
    """A body that is a word; anything longer is none."""
    body = await request.body()
    return body.decode("ascii", "replace") if len(body) <= WORD_MAX_BYTES else ""


def _add_ears(station: Station, ears: str) -> None:
    """What somebody said into a page's microphone: a stop stops, and anything else is told back, to be sent by hand."""
    station.hears = bool(ears) or heard_here()
    one_at_a_time, made = asyncio.Lock(), list[Recogniser]()

    @app.post("/hear")
    async def hear(request: Request) -> JSONResponse:
        try:
            sound = Sound(np.frombuffer(await request.body(), "<i2"))
            async with one_at_a_time:
                if not made:
                    made.append(await asyncio.to_thread(recogniser, ears))
                heard = await understood(made[0], sound, station.agent)
        except (ValueError, SaysoError) as error:
            return JSONResponse({"text": "", "told": str(error)})
        if urgent(heard.text) == "stop":
            station.stop("voice")
            return JSONResponse({"text": "", "told": "I heard a stop"})
        told = "Is that what you said? Enter does it." if heard.text else "I heard nothing that I understand."
        return JSONResponse({"text": heard.text, "told": told if heard.sure else f"I am not sure. {told}"})


def _add_files(journal: Path, cameras: list[Camera]) -> None:
    @app.get("/camera.jpg")
    async def camera() -> Response:
        return _jpeg(cameras[0].front.latest if cameras else b"")

    @app.get("/heat.jpg")
    async def heat() -> Response:
        return _jpeg(cameras[0].heat.latest if cameras else b"")

    @app.get("/picture/{name}")
    async def picture(name: str) -> Response:
        file = kept_picture(journal.parent / "pictures", name)
        return FileResponse(file) if file else Response("there is no such picture", 404, media_type="text/plain")

    @app.get("/export/{mission}.jsonl")
    async def export(mission: str) -> Response:
        try:
            text = await asyncio.to_thread(lambda: "".join(lines(journal, mission)))
        except SaysoError as error:
            return Response(str(error), 404, media_type="text/plain")
        headers = {"Content-Disposition": f'attachment; filename="{mission}.jsonl"', "Cache-Control": "no-store"}
        return Response(text, 200, headers, "application/x-ndjson")


def _jpeg(picture: bytes) -> Response:
    return Response(picture, 200 if picture else NOTHING, {"Cache-Control": "no-store"}, "image/jpeg")


def _must_be_free(host: str, port: int) -> None:
    """Better one line now than a page of traceback from the server."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with contextlib.closing(socket.socket(family, socket.SOCK_STREAM)) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(f"cannot serve on {host} port {port}: {error.strerror}; try --port") from error
