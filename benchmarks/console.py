"""The console's bars, measured from outside: `python benchmarks/console.py [--only soak --minutes 45]`.

A console runs in a process of its own, as a user starts it. Chromium (driven by Playwright) opens pages and clicks the
stop; what the server spends is read from the operating system. The stop's time is from the input event in the browser
to the first byte of an answer that the server sends once the robot has been told, so it is an upper bound.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import json
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from console_soak import settled, soak, trend
from console_viewers import Viewer, gather, look_on

FLAGS = ["--no-sandbox", "--disable-3d-apis"]
"""Drawing three dimensions in software would take both cores; what is measured here is not the drawing."""

BUSY = "take off, turn around, move forward 50 cm, turn around, move forward 50 cm, turn around"
LOOK_S = 16
GIVES_WAY = 10
"""Niceness."""

BEGUN_MS, FLOWN_MS = 20_000, 300_000
GROWTH_MAX_MB_MIN = 0.2
"""Less than this is none: at it, a console that is left on for a working day would take 100 MB more."""

STOP_TIME = """() => new Promise((done) => {
  let clicked = 0;
  const heard = (e) => { clicked ||= e.timeStamp; };
  addEventListener("pointerdown", heard, { capture: true, once: true });
  addEventListener("keydown", heard, { capture: true, once: true });
  new PerformanceObserver((list, self) => {
    for (const entry of list.getEntries()) if (entry.name.endsWith("/stop")) {
      self.disconnect();
      window.stopTook = entry.responseStart - clicked;
    }
  }).observe({ type: "resource" });
  window.stopTook = null;
  done();
})"""
PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null"""


@dataclass(frozen=True, slots=True)
class Row:
    """One figure with its bar; `most` bars are upper bounds, others lower ones. Without a bar it is told only."""

    id: str
    value: float
    unit: str
    bar: float | None = None
    most: bool = True

    @property
    def holds(self) -> bool:
        return self.bar is None or (self.value <= self.bar if self.most else self.value >= self.bar)

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "value": round(self.value, 3), "unit": self.unit, "bar": self.bar, "holds": self.holds}


@dataclass(frozen=True, slots=True)
class Console:
    """A running console: where it answers, and the process to measure."""

    address: str
    pid: int

    def cpu_s(self) -> float:
        """Processor seconds that it has used so far, all of its threads together."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def starved_s(self) -> float:
        """Seconds that it was ready to go on while others had the processor: what no program of ours can mend."""
        return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9

    def memory_mb(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextlib.contextmanager
def serving(world: str = "office") -> Iterator[Console]:
    """A console in a process and a folder of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "sayso", "serve", "--port", str(port), "--world", world]
    with tempfile.TemporaryDirectory() as home:
        around = {**os.environ, "SAYSO_HOME": home}
        with subprocess.Popen(command, env=around, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout
            address = run.stdout.readline().strip()
            try:
                _await(address)
                yield Console(address, run.pid)
            finally:
                run.terminate()
                try:
                    run.wait(60)
                except subprocess.TimeoutExpired:
                    run.kill()


def _await(address: str) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address, timeout=5).close()
            return
        time.sleep(0.1)
    raise RuntimeError(f"the console at {address} does not answer")


class Operator:
    """Somebody with a real browser, who holds control."""

    def __init__(self, address: str) -> None:
        chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
        if not chromium:
            raise SystemExit("no Chromium here; the variable CHROMIUM names one")
        try:
            driver = importlib.import_module("playwright.sync_api")
        except ModuleNotFoundError:
            raise SystemExit("the console is measured with Playwright: pip install playwright") from None
        self._late = driver.TimeoutError
        self._play = driver.sync_playwright().start()
        self._browser = self._play.chromium.launch(executable_path=chromium, args=FLAGS)
        self.address = address
        self.page: Any = None

    def open(self) -> float:
        """Open the page as if for the first time; milliseconds to its first contentful paint."""
        if self.page:
            self.page.context.close()
        self.page = self._browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        self.page.set_default_timeout(120_000)
        self.page.goto(self.address)
        self.page.wait_for_selector("#stop[data-running]")
        self.page.wait_for_function(PAINT)  # a page may be there some moments before it is painted
        return float(self.page.evaluate(PAINT))

    def close(self) -> None:
        self._browser.close()
        self._play.stop()

    def say(self, text: str) -> None:
        """Tell the robot, and wait until it moves."""
        self._told(text)
        self.page.wait_for_selector("#stop[data-running='1']")
        self.page.wait_for_selector(".step.running")

    def fly(self, text: str) -> None:
        """A whole mission, with a fresh battery where the old one is nearly empty. A page that is starved of processor
        time may miss its begin."""
        if "low" in str(self.page.locator(".meter").get_attribute("class")):
            self._begin_afresh()
        self._told(text)
        with contextlib.suppress(self._late):
            self.page.wait_for_selector("#stop[data-running='1']", timeout=BEGUN_MS)
        self.page.wait_for_selector("#stop[data-running='0']", timeout=FLOWN_MS)

    def _begin_afresh(self) -> None:
        self.page.click("[title='choose the setup']")
        self.page.get_by_role("button", name="Use this").click()
        self.page.wait_for_selector(".form", state="detached")
        self.page.wait_for_selector(".meter:not(.low)")

    def _told(self, text: str) -> None:
        take = self.page.get_by_role("button", name="Take control")
        if take.is_visible():
            take.click()
        self.page.wait_for_selector("#stop[data-running='0']")
        self.page.fill("#say", text)
        self.page.press("#say", "Enter")

    def heap_mb(self) -> float:
        """What the page's scripts hold, after a collection."""
        session = self.page.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        used = float(session.send("Runtime.getHeapUsage")["usedSize"])
        session.detach()
        return used / 1e6

    def stop(self, key: bool) -> float:
        """Stop by mouse or space bar; milliseconds until the robot had been told. Releases it afterwards."""
        page = self.page
        page.evaluate(STOP_TIME)
        if key:
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("Space")
        else:
            page.click("#stop")
        page.wait_for_function("window.stopTook !== null")
        took_ms = float(page.evaluate("window.stopTook"))
        page.get_by_role("button", name="Release").click()
        page.wait_for_selector(".pill.idle")
        return took_ms


def paints(operator: Operator, times: int = 7) -> Iterator[Row]:
    """How soon a page that was never seen before shows something."""
    took = [operator.open() for _ in range(times)]
    yield Row("first_paint_median", statistics.median(took), "ms", 1500)
    yield Row("first_paint_worst", max(took), "ms", 1500)


def stops(operator: Operator, times: int, name: str) -> Iterator[Row]:
    """From the click or key to the robot's having been told, at any moment of a flight."""
    took = []
    for n in range(times):
        operator.say(BUSY)
        time.sleep(0.05 * (n % 7))
        took.append(operator.stop(key=n % 2 == 1))
    yield Row(f"{name}_median", statistics.median(took), "ms", 50)
    yield Row(f"{name}_worst", max(took), "ms", 50)


@contextlib.contextmanager
def crowd(address: str, count: int) -> Iterator[list[Viewer]]:
    """So many viewers look on, on a loop of their own: Playwright's driver holds this thread's. In truth they would be
    at other machines, so here they give way to the server and to the operator's browser."""
    viewers: list[Viewer] = []
    there, over = threading.Event(), threading.Event()

    async def stay() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GIVES_WAY)
        viewers.extend(await gather(address, count))
        there.set()
        while not over.is_set():
            await asyncio.sleep(0.2)
        for viewer in viewers:
            await viewer.close()

    with ThreadPoolExecutor(1) as thread:
        staying = thread.submit(asyncio.run, stay())
        staying.add_done_callback(lambda _: there.set())
        there.wait()
        try:
            yield viewers
        finally:
            over.set()
            staying.result()


def updates(console: Console, operator: Operator, counts: tuple[int, ...]) -> Iterator[Row]:
    """The scene's updates during a flight, and what server and simulation take for them together."""
    for count in counts:
        with crowd(console.address, count) as viewers:
            operator.say(BUSY)
            cpu_s, starved_s, began_s = console.cpu_s(), console.starved_s(), time.perf_counter()
            rates = look_on(viewers, LOOK_S)
            took_s = time.perf_counter() - began_s
            cores, starved = (console.cpu_s() - cpu_s) / took_s, (console.starved_s() - starved_s) / took_s
            operator.stop(key=False)
        yield Row(f"updates_{count}_viewers", min(rates), "/s", 20, most=False)
        yield Row(f"cores_{count}_viewers", cores, "cores", 1.0)
        yield Row(f"starved_{count}_viewers", 100 * starved, "%")
        yield _lost(f"updates_{count}", viewers)


def watched_stops(console: Console, operator: Operator, times: int, count: int) -> Iterator[Row]:
    """Stops while many look on."""
    with crowd(console.address, count) as viewers:
        yield from stops(operator, times, f"stop_{count}_viewers")
    yield _lost(f"stop_{count}", viewers)


def _lost(name: str, viewers: Sequence[Viewer]) -> Row:
    """How many did not stay to the end; figures with fewer viewers than they name would be none."""
    return Row(f"{name}_viewers_lost", sum(bool(v.lost) for v in viewers), "", 0)


def soaked(console: Console, operator: Operator, count: int, minutes: float, log: Path | None) -> Iterator[Row]:
    """Missions one after another for so long: the growth of the server's memory and of the page's, once settled."""
    fly = partial(operator.fly, BUSY)
    readings = soak(console.address, minutes, count, console.memory_mb, operator.heap_mb, fly, log)
    kept = settled(readings)
    at_min = [r.at_s / 60 for r in kept]
    yield Row("soak_missions", readings[-1].missions, "")
    yield Row("soak_settled", at_min[-1] - at_min[0], "min")
    for name, mb in (("server", [r.server_mb for r in kept]), ("page", [r.page_mb for r in kept])):
        found = trend(at_min, mb)
        yield Row(f"{name}_memory", statistics.mean(mb), "MB")
        yield Row(f"{name}_slope", found.slope, "MB/min")
        yield Row(f"{name}_slope_error", found.error, "MB/min")
        yield Row(f"{name}_slope_at_most", found.most, "MB/min", GROWTH_MAX_MB_MIN)


PARTS = ("paint", "stop", "updates", "watched", "soak")


def measure(
    world: str, parts: Sequence[str], times: int, viewers: int, minutes: float, log: Path | None
) -> Iterator[Row]:
    """The figures of some parts, in turn."""
    with serving(world) as console:
        operator = Operator(console.address)
        operator.open()
        try:
            if "paint" in parts:
                yield from paints(operator)
            if "stop" in parts:
                yield from stops(operator, times, "stop")
            if "updates" in parts:
                yield from updates(console, operator, (1, viewers))
            if "watched" in parts:
                yield from watched_stops(console, operator, times, viewers)
            if "soak" in parts:
                yield from soaked(console, operator, viewers, minutes, log)
        finally:
            operator.close()


def main() -> int:
    """Print the table, and write JSON where that is asked for; 0 when all bars hold."""
    asked = argparse.ArgumentParser(description="The console's bars, in a real browser.")
    asked.add_argument("--stops", type=int, default=50, help="clicks and keys that stop")
    asked.add_argument("--viewers", type=int, default=20)
    asked.add_argument("--only", default=",".join(PARTS[:-1]), help=f"some of {', '.join(PARTS)}")
    asked.add_argument("--minutes", type=float, default=45, help="how long a soak lasts; a third of it is for settling")
    asked.add_argument("--world", default="office")
    asked.add_argument("--log", type=Path, metavar="FILE", help="where a soak's readings are kept, as CSV")
    asked.add_argument("--json", default="", metavar="FILE")
    args = asked.parse_args()
    rows = []
    for row in measure(args.world, args.only.split(","), args.stops, args.viewers, args.minutes, args.log):
        bar = "" if row.bar is None else f"{'≤' if row.most else '≥'} {row.bar:g}"
        print(f"{row.id:<28}{row.value:>9.4g} {row.unit:<6}{bar:>8}  {'' if row.holds else 'MISSED'}", flush=True)
        rows.append(row)
    if args.json:
        Path(args.json).write_text(json.dumps([r.as_json() for r in rows], indent=1) + "\n", "utf-8")
    return 0 if all(r.holds for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
