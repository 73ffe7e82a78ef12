// The stop, the heartbeat and the skin: the three things that must work while the page's own connection does not.
"use strict";

const sayso = {
  seat: "",

  post(path, body) {
    return fetch(path, { method: "POST", body, keepalive: true, cache: "no-store", credentials: "same-origin" });
  },

  // Sent until it has arrived: a stop that was asked for is never given up.
  async stop(by) {
    const button = document.getElementById("stop");
    button?.classList.add("sent");
    setTimeout(() => button?.classList.remove("sent"), 400);
    const told = document.getElementById("unsent");
    for (let tries = 0; ; tries++) {
      try {
        const answer = await this.post("/stop", by);
        if (answer.ok) break;
      } catch {
        // no connection: told below, tried again
      }
      told?.classList.remove("gone");
      await new Promise((later) => setTimeout(later, Math.min(1000, 100 * 2 ** tries)));
    }
    told?.classList.add("gone");
  },

  running() {
    const button = document.getElementById("stop");
    return button?.dataset.running === "1" || (window.socket && !window.socket.connected);
  },

  key(event) {
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.target;
    const field = at.matches?.("input:not([type=range]):not([type=checkbox]), textarea, [contenteditable=true]");
    const wordsBegun = field && !(at.id === "say" && at.value === "");
    const operable = at.closest?.("button, a, select, summary, input, [role=button], [role=tab], [role=slider]");
    const running = sayso.running();
    const space = event.code === "Space" && !wordsBegun && (running || !operable);
    const escape = event.code === "Escape" && running;
    if (!space && !escape) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    sayso.stop("key");
  },

  // Called at every connection; a page that comes back goes on listening as it did.
  begin(seat) {
    const again = this.seat !== "";
    this.seat = seat;
    if (again) return;
    document.body.classList.toggle("deaf", !navigator.mediaDevices); // a browser has a microphone for near pages alone
    document.addEventListener("keydown", this.key, true);
    document.addEventListener("keyup", (e) => {
      if (e.code === "Space" && this.running() && !e.target.matches?.("input, textarea")) e.preventDefault();
    }, true);
    document.addEventListener("pointerdown", (e) => {
      if (e.target.closest?.("#stop")) { e.preventDefault(); this.stop("button"); }
      if (e.target.closest?.("#talk")) this.talk();
    }, true);
    for (const over of ["pointerup", "pointercancel"]) document.addEventListener(over, () => this.talking && this.talked(), true);
    document.addEventListener("click", (e) => {
      if (e.target.closest?.("#stop") && e.detail === 0) this.stop("button"); // by keyboard or a screen reader
      if (e.target.closest?.("#talk") && e.detail === 0) this.talking ? this.talked() : this.talk();
    }, true);
    setInterval(() => this.paint(), 200);
    setInterval(() => this.post("/alive", this.seat).catch(() => {}), 500);
  },

  // Held, it records; let go, the words come into the line, where a person reads them and sends them. A stop that was
  // heard has stopped by then.
  async talk() {
    if (this.talking) return;
    this.talking = true;
    const told = document.getElementById("heard"), say = document.getElementById("say");
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const recorder = new MediaRecorder(stream), parts = [];
      const over = new Promise((done) => { recorder.onstop = done; });
      recorder.ondataavailable = (event) => parts.push(event.data);
      recorder.start();
      told.textContent = "I listen …";
      const cut = setTimeout(() => this.talked(), 7500); // what a request may carry
      if (this.talking) this.recorder = recorder;
      else recorder.stop();
      await over;
      clearTimeout(cut);
      for (const track of stream.getTracks()) track.stop();
      told.textContent = "…";
      const answer = await fetch("/hear", { method: "POST", body: await this.samples(new Blob(parts)) });
      const heard = await answer.json();
      told.textContent = heard.told;
      if (heard.text) say.value = heard.text;
      say.focus();
    } catch (error) {
      told.textContent = navigator.mediaDevices ? `I could not listen: ${error.message}`
        : "a browser gives its microphone to this machine and to https alone";
    }
    this.talking = false;
  },

  talked() {
    const recorder = this.recorder;
    this.recorder = null;
    if (recorder) recorder.stop();
    else this.talking = false;
  },

  // (n,) int16, 16 000 a second.
  async samples(recorded) {
    const sound = await new AudioContext({ sampleRate: 16000 }).decodeAudioData(await recorded.arrayBuffer());
    return Int16Array.from(sound.getChannelData(0), (sample) => 32767 * Math.max(-1, Math.min(1, sample)));
  },

  follow(id) {
    const log = document.getElementById(id);
    if (log) log.scrollTop = log.scrollHeight;
  },

  // Names that would lie on each other, as they are seen now, stand above each other, below where that would be over
  // the `edge`: the first --rank stays, then the lowest. One that would come to stand far from its thing is left out.
  spread(labels, edge = -Infinity) {
    const gap = 2, far = 96;
    const boxes = [...labels].filter((label) => label.getClientRects().length).map((label) => {
      const up = Number(label.dataset.up || 0), box = label.getBoundingClientRect();
      const rank = Number(label.style.getPropertyValue("--rank")), high = box.height;
      return { label, up, rank, high, left: box.left, right: box.right, top: box.top + up };
    });
    boxes.sort((a, b) => a.rank - b.rank || b.top - a.top);
    const placed = [];
    for (const box of boxes) {
      const beside = placed.filter((other) => other.left < box.right + gap && box.left < other.right + gap);
      const past = (side) => beside.sort((a, b) => side * (a.top - b.top)).reduce((top, other) => {
        const free = other.top >= top + box.high + gap || top >= other.top + other.high + gap;
        return free ? top : side > 0 ? other.top + other.high + gap : other.top - gap - box.high;
      }, box.top);
      let top = past(-1);
      if (top < edge && box.top >= edge) top = past(1);
      const up = Math.round(box.top - top), out = Math.abs(up) > far;
      if (!out) placed.push({ ...box, top });
      box.label.style.visibility = out ? "hidden" : "";
      if (up === box.up) continue;
      box.label.dataset.up = up;
      box.label.style.translate = up ? `0 ${-up}px` : "";
    }
  },

  // A narrow stage shows as much of the place from side to side as a wide one.
  fit(camera) {
    const fov = 2 * Math.atan(Math.tan(Math.PI / 8) * Math.max(1, 1.3 / camera.aspect)) * 180 / Math.PI;
    if (Math.abs(camera.fov - fov) < 0.1) return;
    camera.fov = fov;
    camera.updateProjectionMatrix();
  },

  // Scenes know nothing of the skin and of each other's names; they are told.
  paint() {
    const colour = getComputedStyle(document.body).getPropertyValue("--scene").trim();
    for (const element of document.querySelectorAll(".nicegui-scene")) {
      const scene = window.getElement?.(Number(element.id.slice(1)));
      if (scene?.renderer && scene.painted !== colour) scene.renderer.setClearColor((scene.painted = colour));
      if (!scene?.text_renderer || !element.offsetParent) continue;
      this.fit(scene.camera);
      this.spread(scene.text_renderer.domElement.children, element.getBoundingClientRect().top);
    }
    for (const frame of document.querySelectorAll(".frame43")) {
      this.spread(frame.querySelectorAll(".label"), frame.getBoundingClientRect().top);
    }
  },
};
