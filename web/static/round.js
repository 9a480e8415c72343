// The round page: a player bounded to one round, what was recognised drawn over it, the felt as a plan, and the keys.
const desk = document.querySelector("[data-desk]");
const video = desk.querySelector("video");
const overlay = desk.querySelector("svg.overlay");
const plan = desk.querySelector("svg.plan");
const track = desk.querySelector(".track");
const clock = desk.querySelector(".clock");
const round = await (await fetch(desk.dataset.states)).json();
const SIZE = overlay.viewBox.baseVal.width / 85;
const FRAME = round.frame_ms / 1000;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
const SVG = "http://www.w3.org/2000/svg";
const [clipFirst, clipLast] = [round.clip_ms[0] / 1000, round.clip_ms[1] / 1000];
const [seenFirst, seenLast] = round.incident_ms.map((ms) => ms / 1000);
const shown = { objects: true, zones: false, readings: true };
let looping = false;
let reverse = null;

const element = (name, attributes, text) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const points = (polygon) => polygon.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const seconds = (s) => {
  const whole = Math.max(0, s);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${(whole - 60 * minutes).toFixed(2).padStart(5, "0")}`;
};

function stateAt(ms) {
  let low = 0;
  let high = round.states.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (round.states[middle].t_ms[0] <= ms) low = middle + 1;
    else high = middle;
  }
  return low ? round.states[low - 1] : null;
}

function label(object) {
  if (object.kind === "card") return object.card ? pretty(object.card) : "?";
  if (object.kind === "chips") return object.stack ? runs(object.stack) : "?";
  if (object.kind === "die") return object.value ?? "?";
  return "";
}
const pretty = (card) => card[0].replace("T", "10") + { c: "♣", d: "♦", h: "♥", s: "♠" }[card[1]];
function runs(stack) {
  const parts = [];
  for (const colour of stack) {
    const last = parts[parts.length - 1];
    if (last && last[1] === colour) last[0] += 1;
    else parts.push([1, colour]);
  }
  return parts.map(([n, colour]) => `${n} ${colour}`).join(" + ");
}

let drawn = null;
function draw(state) {
  if (state === drawn) return;
  drawn = state;
  overlay.replaceChildren();
  if (shown.zones) {
    for (const zone of round.zones) {
      if (!zone.polygon_px) continue;
      const covered = state && state.covered.includes(zone.name);
      overlay.append(element("polygon", { points: points(zone.polygon_px), class: covered ? "o-covered" : "o-zone" }));
    }
  }
  for (const object of state ? state.objects : []) {
    if (!shown.objects || !object.polygon_px) continue;
    overlay.append(element("polygon", { points: points(object.polygon_px), class: `o-${object.kind}` }));
    if (!shown.readings) continue;
    const top = object.polygon_px.reduce((a, b) => (b[1] < a[1] ? b : a));
    overlay.append(element("text", { x: top[0], y: top[1] - 0.4 * SIZE, "text-anchor": "middle", "font-size": SIZE }, label(object)));
  }
  drawPlan(state);
}

// The plan looks from the dealer's side reversed: x to the dealer's right is drawn to the left, as the camera above the players sees it.
function drawPlan(state) {
  if (!plan) return;
  for (const node of plan.querySelectorAll(".now")) node.remove();
  for (const object of state ? state.objects : []) {
    const group = element("g", { class: "now", transform: `translate(${-object.xy_mm[0]} ${object.xy_mm[1]})` });
    if (object.kind === "card" || object.kind === "card_back") {
      const red = object.card && "dh".includes(object.card[1]);
      const fill = object.kind === "card" ? "#fdfdfb" : "#5a4fa0";
      group.append(element("rect", { x: -31, y: -44, width: 63, height: 88, rx: 6, fill, stroke: "#555", transform: `rotate(${object.angle_deg ?? 0})` }));
      group.append(element("text", { "text-anchor": "middle", y: 10, fill: red ? "#b3121d" : "#16181a" }, label(object)));
    } else if (object.kind === "chips") {
      const colours = object.stack ?? ["white"];
      group.append(element("circle", { r: 19, fill: CHIP[colours[colours.length - 1]] ?? "#999", stroke: "#fff", "stroke-width": 3, "stroke-dasharray": "8 7" }));
      group.append(element("text", { x: 24, y: 10, fill: "#fff" }, object.stack ? `×${object.stack.length}` : "?"));
    }
    plan.append(group);
  }
}
const CHIP = { blue: "#2f63c4", white: "#e9e9e4", pink: "#e58bb0", red: "#c02a2a", green: "#1d8a4a", black: "#222", purple: "#6b3fa0", orange: "#e07b1f", grey: "#8b9096", teal: "#1f8f96" };

function buildPlan() {
  if (!plan) return;
  const corners = round.zones.flatMap((zone) => zone.polygon_mm);
  const xs = corners.map(([x]) => -x);
  const ys = corners.map(([, y]) => y);
  const [x0, y0] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
  plan.setAttribute("viewBox", `${x0} ${y0} ${Math.max(...xs) - x0 + 40} ${Math.max(...ys) - y0 + 40}`);
  for (const zone of round.zones) plan.append(element("polygon", { class: "zone", points: points(zone.polygon_mm.map(([x, y]) => [-x, y])) }));
}

const place = (ms) => `${(100 * (ms / 1000 - clipFirst)) / (clipLast - clipFirst)}%`;
function buildTrack() {
  const span = document.createElement("div");
  span.className = "span";
  span.style.left = place(round.incident_ms[0]);
  span.style.width = `${(100 * (seenLast - seenFirst)) / (clipLast - clipFirst)}%`;
  track.append(span);
  for (const mark of round.marks) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `mark ${mark.kind}`;
    button.style.left = place(mark.ms);
    button.title = `${seconds(mark.ms / 1000)} ${mark.text}`;
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", (event) => { event.stopPropagation(); seek(mark.ms / 1000); });
    track.append(button);
  }
  const head = document.createElement("div");
  head.className = "head";
  track.append(head);
}

const clamp = (s) => Math.min(clipLast - FRAME / 2, Math.max(clipFirst, s));
function seek(s) { video.currentTime = clamp(s); }
function show(mediaTime) {
  draw(stateAt(mediaTime * 1000));
  track.querySelector(".head").style.left = place(mediaTime * 1000);
  clock.textContent = `${seconds(mediaTime - clipFirst)} / ${seconds(clipLast - clipFirst)}  ${video.paused && !reverse ? "" : `${video.playbackRate}×`}`;
}
function bound() {
  const [from, to] = looping ? [seenFirst - 1, seenLast + 1] : [clipFirst, clipLast];
  if (video.currentTime >= to - FRAME / 2 && !video.paused) {
    if (looping) video.currentTime = clamp(from);
    else { video.pause(); video.currentTime = clamp(to); }
  }
  if (video.currentTime < clipFirst - 0.05) video.currentTime = clipFirst;
}
if (video.requestVideoFrameCallback) {
  const onFrame = (_, frame) => { show(frame.mediaTime); bound(); video.requestVideoFrameCallback(onFrame); };
  video.requestVideoFrameCallback(onFrame);
}
video.addEventListener("timeupdate", () => { bound(); show(video.currentTime); });
video.addEventListener("seeked", () => show(video.currentTime));
video.addEventListener("error", () => { desk.querySelector("[data-novideo]").hidden = false; });

function step(frames) { halt(); video.pause(); seek(video.currentTime + frames * FRAME); }
function halt() { clearInterval(reverse); reverse = null; }
function forward() { halt(); if (video.paused) { video.playbackRate = 1; video.play(); } else faster(1); }
function backward() {
  video.pause();
  if (reverse) return;
  reverse = setInterval(() => { if (video.currentTime <= clipFirst + FRAME) halt(); else seek(video.currentTime - 2 * FRAME); }, 80);
}
function toggle() { halt(); if (video.paused) { if (video.currentTime >= clipLast - 2 * FRAME) seek(clipFirst); video.play(); } else video.pause(); }
function faster(by) {
  const at = SPEEDS.findIndex((speed) => speed >= video.playbackRate);
  video.playbackRate = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
}
function press(selector) { const button = document.querySelector(selector); if (button) button.click(); }
function flip(name) {
  shown[name] = !shown[name];
  document.querySelector(`[data-show="${name}"]`)?.setAttribute("aria-pressed", shown[name]);
  drawn = undefined;
  draw(stateAt(video.currentTime * 1000));
}
function loop() {
  looping = !looping;
  document.querySelector("[data-act=loop]")?.setAttribute("aria-pressed", looping);
  if (looping) { seek(seenFirst - 1); video.play(); }
}

const ACTS = {
  toggle, forward, backward, loop,
  stop: () => { halt(); video.pause(); },
  "step-back": () => step(-1), "step-on": () => step(1),
  "second-back": () => step(-25), "second-on": () => step(25),
  slower: () => faster(-1), faster: () => faster(1),
  start: () => seek(clipFirst), incident: () => seek(seenFirst - 0.5), end: () => seek(clipLast),
  objects: () => flip("objects"), zones: () => flip("zones"), readings: () => flip("readings"),
};
const KEYS = {
  " ": "toggle", k: "stop", l: "forward", j: "backward", ",": "step-back", ".": "step-on", ArrowLeft: "second-back", ArrowRight: "second-on",
  "[": "slower", "]": "faster", Home: "start", i: "incident", End: "end", o: "objects", z: "zones", v: "readings", r: "loop",
};
const BUTTONS = { c: "[data-decide=confirm]", d: "[data-decide=dismiss]", t: "[data-decide=cant_tell]", e: "[data-decide=escalate]", u: "[data-undo]", n: "[data-next]", p: "[data-previous]", q: "[data-queue]" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("textarea, input, select")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.target.matches("button, a") && (event.key === " " || event.key === "Enter")) return;
  if (KEYS[event.key]) { event.preventDefault(); ACTS[KEYS[event.key]](); }
  else if (BUTTONS[event.key]) { event.preventDefault(); press(BUTTONS[event.key]); }
  else if (event.key === "m") { event.preventDefault(); document.querySelector(".decide textarea")?.focus(); }
});
for (const button of document.querySelectorAll("[data-act]")) button.addEventListener("click", () => ACTS[button.dataset.act]());
for (const button of document.querySelectorAll("[data-show]")) button.addEventListener("click", () => flip(button.dataset.show));
for (const row of document.querySelectorAll("[data-seek]")) row.addEventListener("click", () => seek(Number(row.dataset.seek) / 1000));
let dragging = false;
const scrub = (event) => { const box = track.getBoundingClientRect(); seek(clipFirst + ((event.clientX - box.left) / box.width) * (clipLast - clipFirst)); };
track.addEventListener("pointerdown", (event) => { dragging = true; track.setPointerCapture(event.pointerId); scrub(event); });
track.addEventListener("pointermove", (event) => { if (dragging) scrub(event); });
track.addEventListener("pointerup", () => { dragging = false; });

buildTrack();
buildPlan();
const begin = () => { seek(seenFirst - 1); show(video.currentTime); };
if (video.readyState >= 1) begin();
else video.addEventListener("loadedmetadata", begin, { once: true });
desk.dataset.ready = "yes";
