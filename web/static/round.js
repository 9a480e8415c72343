// The round page: a player bounded to one round, what was recognised drawn over it, readings to be corrected, and the keys.
// From one finding to the next only the page's content is exchanged; a recording that both are from stays loaded.
import { Adding } from "./adding.js";
import { Felt, candidates, holds, label, written } from "./felt.js";
import { seconds } from "./moments.js";
import { keepFinding } from "./queue_place.js";
import { complain, dropDraft, isSignIn, keepDraft, restoreDraft, signIn } from "./refusals.js";
import { Seen } from "./seen.js";
import { enlarge, stills } from "./stills.js";
import { Zoom } from "./zoom.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
let desk, video, overlay, track, clock, panel, round, felt, adding, seen, zoom;
let clipFirst, clipLast, seenFirst, seenLast;
let frame; // seconds; the stored length until the player has shown how far two frames lie apart
const shown = { objects: true, zones: false, readings: true }; // what is drawn, from finding to finding
let blindAt; // where one is in a recording of which no picture can be shown, else null
let looping, reverse, speed, lastShown, dragging, deciding;

// The same moment by the property's clock, where it is known when the recording began.
function byTheWall(s) {
  if (!round.wall) return "";
  const day = Math.floor(round.wall.ms / 1000 + s) % 86400;
  return ` · ${[day / 3600, (day / 60) % 60, day % 60].map((part) => `${Math.floor(part)}`.padStart(2, "0")).join(":")} ${round.wall.zone}`;
}

// One object's reading, the other readings, and the form that says what it is.
function read(object, state) {
  if (!panel) return;
  panel.querySelector("[data-none]").hidden = object !== null;
  panel.querySelector("[data-some]").hidden = object === null;
  if (object === null) return;
  const put = (name, text) => { panel.querySelector(`[data-${name}]`).textContent = text; };
  const zone = round.zones.find((one) => holds(one.polygon_mm, object.xy_mm));
  put("what", `${object.kind.replace("_", " ")} ${label(object) || ""}`);
  put("where", zone ? zone.name : "outside every zone");
  put("sure", object.confidence === undefined ? "" : `seen with ${object.confidence.toFixed(2)}`);
  const first = object.first_reading;
  put("first", !first ? "" : first.absent ? "not seen by recognition, added by hand" : `first read as ${written(first) || "not read"}, corrected by hand`);
  const list = panel.querySelector("[data-others]");
  const source = first && !first.absent ? first : object;
  list.replaceChildren(...candidates(source).slice(0, 6).map(([text, p]) => option(text, p)));
  if (!list.children.length) list.append(nothing(object));
  const form = panel.querySelector("[data-correct]");
  if (!form) return;
  form.elements.at_ms.value = state.t_ms[0];
  form.elements.kind.value = source.kind;
  [form.elements.x_mm.value, form.elements.y_mm.value] = object.xy_mm;
  form.elements.reading.value = written(object);
  form.elements.reading.placeholder = { card: "Td, 9s …", card_back: "Td, 9s …", chips: "5 red + 2 green, from below", die: "1 to 6" }[object.kind] ?? "";
}
function option(text, p) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "bare option";
  button.style.setProperty("--p", `${Math.round(100 * p)}%`);
  button.innerHTML = "<span></span><span class='num'></span>";
  button.firstChild.textContent = text;
  button.lastChild.textContent = p.toFixed(3);
  button.addEventListener("click", () => { const field = panel.querySelector("[data-correct] [name=reading]"); if (field) { field.value = text; field.focus(); } });
  item.append(button);
  return item;
}
function nothing(object) {
  const item = document.createElement("li");
  item.className = "muted";
  item.textContent = written(object) ? "no other reading was kept" : "nothing was read";
  return item;
}
function toMark(way) {
  const now = here(), times = round.marks.map((mark) => mark.ms / 1000).sort((a, b) => a - b);
  const next = way > 0 ? times.find((time) => time > now + 0.05) : times.findLast((time) => time < now - 0.05);
  if (next !== undefined) seek(next);
}
const place = (ms) => `${(100 * (ms / 1000 - clipFirst)) / (clipLast - clipFirst)}%`;
function buildTrack() {
  const span = document.createElement("div");
  span.className = "span";
  span.style.left = place(round.incident_ms[0]);
  span.style.width = `${(100 * (seenLast - seenFirst)) / (clipLast - clipFirst)}%`;
  track.append(span);
  for (const mark of round.marks) {
    const sign = document.createElement("span");  // for the pointer; PageUp and PageDown go from mark to mark
    sign.className = `mark m-${mark.kind}`;
    sign.style.left = place(mark.ms);
    sign.title = `${seconds(mark.ms / 1000)} ${mark.text}`;
    sign.addEventListener("click", (event) => { event.stopPropagation(); seek(mark.ms / 1000); });
    track.append(sign);
  }
  const head = document.createElement("div");
  head.className = "head";
  track.append(head);
}

const clamp = (s) => Math.min(clipLast - frame / 2, Math.max(clipFirst, s));
const here = () => blindAt ?? video.currentTime;
function seek(s) {
  if (blindAt === null) { video.currentTime = clamp(s); return; }
  blindAt = clamp(s);
  show(blindAt);
}
const toBegin = () => seek(round.at_ms === null ? seenFirst - 1 : round.at_ms / 1000 + frame / 2);
function show(mediaTime) {
  if (!felt) return;
  felt.draw(mediaTime * 1000);
  track.querySelector(".head").style.left = place(mediaTime * 1000);
  const pace = reverse ? `−${speed}×` : video.paused ? "" : `${video.playbackRate}×`;
  clock.textContent = `${seconds(mediaTime, 2)}${byTheWall(mediaTime)}  of ${seconds(clipFirst)} to ${seconds(clipLast)}  ${pace}`;
}
function measure(mediaTime) {
  const step = lastShown === null ? 0 : mediaTime - lastShown;
  if (!video.paused && step > 0.005 && step < frame * 0.99) frame = step;
  lastShown = mediaTime;
}
function bound() {
  const [from, to] = looping ? [seenFirst - 1, seenLast + 1] : [clipFirst, clipLast];
  if (video.currentTime >= to - frame / 2 && !video.paused) {
    if (looping) video.currentTime = clamp(from);
    else { video.pause(); video.currentTime = clamp(to); }
  }
  if (video.currentTime < clipFirst - 0.05) video.currentTime = clipFirst;
}
// What is drawn belongs to the frame that is shown: while the player seeks, that is still the one before.
function follow(player) {
  if (player.dataset.followed) return;
  player.dataset.followed = "yes";
  const onFrame = (_, shown) => {
    if (player !== video) return;
    if (felt) { measure(shown.mediaTime); show(shown.mediaTime); bound(); }
    player.requestVideoFrameCallback(onFrame);
  };
  if (player.requestVideoFrameCallback) player.requestVideoFrameCallback(onFrame);
  player.addEventListener("timeupdate", () => {
    if (!felt || player !== video || video.seeking) return;
    bound();
    if (!player.requestVideoFrameCallback) show(video.currentTime); // it tells of the frame that is on the screen
  });
  player.addEventListener("seeked", () => { if (player === video && !video.seeking) show(video.currentTime); });
  player.addEventListener("error", () => { if (felt && player === video) unseen(); });
}

// No picture can be shown: says why; the readings are drawn all the same, from moment to moment.
async function unseen(stayed = null) {
  blindAt = 0;
  if (stayed) resume(stayed); else toBegin();
  for (const act of ["toggle", "slower", "faster", "loop"]) desk.querySelector(`[data-act=${act}]`).disabled = true;
  const [there, place] = [video.src, desk];
  const answer = await fetch(there, { method: "HEAD" }).catch(() => null);
  const notice = place.querySelector(answer?.ok ? "[data-novideo]" : "[data-lost]");
  notice.querySelector("[data-answer]")?.replaceChildren(answer ? `${answer.status}` : "no answer");
  notice.hidden = false;
}

function halt() { clearInterval(reverse); reverse = null; }
function step(frames) { halt(); video.pause(); seek(here() + frames * frame); }
function forward() { if (blindAt !== null) return; halt(); if (video.paused) { video.playbackRate = 1; video.play(); } else faster(1); }
function backward() {
  video.pause();
  speed = reverse ? Math.min(16, speed * 2) : 1;
  halt();
  reverse = setInterval(() => {
    if (video.seeking) return;
    if (here() <= clipFirst + frame) halt();
    else seek(here() - 0.08 * speed);
  }, 80);
}
function toggle() { if (blindAt !== null) return; halt(); if (video.paused) { if (video.currentTime >= clipLast - 2 * frame) seek(clipFirst); video.play(); } else video.pause(); }
function faster(by) {
  if (blindAt !== null) return;
  const at = SPEEDS.findIndex((one) => one >= video.playbackRate);
  video.playbackRate = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))];
  if (!video.seeking) show(video.currentTime);
}
function press(selector) { const button = document.querySelector(selector); if (button && !button.disabled) button.click(); }
function flip(name) { document.querySelector(`[data-show="${name}"]`)?.setAttribute("aria-pressed", felt.flip(name)); }
function loop() {
  if (blindAt !== null) return;
  looping = !looping;
  document.querySelector("[data-act=loop]")?.setAttribute("aria-pressed", looping);
  if (looping) { seek(seenFirst - 1); video.play(); }
}
function choose(by) { video.pause(); halt(); felt.step(by); toPanel(); }
// The panel scrolls beside the picture, never the picture away.
function toPanel() { const side = panel?.closest(".side"); if (side) side.scrollTop = panel.offsetTop - side.offsetTop; }
function remove() {
  const form = panel?.querySelector("[data-correct]");
  if (!form || felt.chosen < 0) return;
  form.elements.reading.value = "nothing";
  form.requestSubmit();
}
function name() { const field = panel?.querySelector("[data-correct] [name=reading]"); if (field && felt.chosen >= 0) { toPanel(); field.focus({ preventScroll: true }); field.select(); } }

function zoomIn() {
  const still = document.activeElement.closest("[data-drawn]");
  if (still) enlarge(still); else zoom.step(1);
}

const ACTS = {
  toggle, forward, backward, loop,
  stop: () => { halt(); video.pause(); },
  "step-back": () => step(-1), "step-on": () => step(1),
  "second-back": () => { halt(); seek(here() - 1); }, "second-on": () => { halt(); seek(here() + 1); },
  slower: () => faster(-1), faster: () => faster(1),
  start: () => seek(clipFirst), incident: () => seek(seenFirst - 0.5), end: () => seek(clipLast),
  objects: () => flip("objects"), zones: () => flip("zones"), readings: () => flip("readings"),
  choose: () => choose(1), "choose-back": () => choose(-1), name, remove, add: () => { toPanel(); adding.start(); },
  seen: () => seen.start(), "zoom-in": zoomIn, "zoom-out": () => zoom.step(-1), "zoom-off": () => zoom.reset(),
  "mark-on": () => toMark(1), "mark-back": () => toMark(-1),
};
const KEYS = {
  " ": "toggle", k: "stop", l: "forward", j: "backward", ",": "step-back", ".": "step-on", ArrowLeft: "second-back", ArrowRight: "second-on",
  "[": "slower", "]": "faster", Home: "start", i: "incident", End: "end", o: "objects", z: "zones", v: "readings", r: "loop",
  s: "seen", x: "choose", X: "choose-back", w: "name", Delete: "remove", a: "add", PageDown: "mark-on", PageUp: "mark-back",
  "+": "zoom-in", "=": "zoom-in", "-": "zoom-out", 0: "zoom-off",
};
const BUTTONS = {
  c: "[data-decide=confirm]", d: "[data-decide=dismiss]", t: "[data-decide=cant_tell]", e: "[data-decide=escalate]", u: "[data-undo]",
  n: "[data-next]", p: "[data-previous]", q: "[data-queue]", f: "[data-report]", g: "[data-decide=nothing_wrong]", b: "[data-decide=missed]",
};
document.addEventListener("keydown", (event) => {
  if (!felt || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.matches("textarea, select, input:not([type=radio]):not([type=checkbox])")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.target.matches("button, a") && (event.key === " " || event.key === "Enter")) return;
  if (KEYS[event.key]) { event.preventDefault(); ACTS[KEYS[event.key]](); }
  else if (BUTTONS[event.key]) { event.preventDefault(); if (!event.repeat && !deciding) press(BUTTONS[event.key]); }
  else if (event.key === "m") { event.preventDefault(); document.querySelector(".decide textarea")?.focus(); }
  else if (/^[1-9]$/.test(event.key)) {
    const reason = document.querySelectorAll(".reasons input")[Number(event.key) - 1];
    if (reason) reason.checked = !reason.checked;
  }
});
// One key press decides once, however long the answer takes.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.closest("[data-desk]")) return;
  event.preventDefault();
  if (deciding) return;
  deciding = true;
  if (form.matches("[data-add]")) adding.fill();
  const body = new FormData(form, event.submitter);
  body.append("shown_ms", Math.round(1000 * here()));
  await turn(fetch(form.action, { method: "POST", body, headers: { "X-Requested-With": "catwalk" } }), form.action, form);
});
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-next], a[data-previous], .others a");
  if (!link || deciding || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  deciding = true;
  await turn(fetch(link.href), link.href);
});
window.addEventListener("popstate", () => location.reload());

async function turn(asked, address, form = null) {
  let answer, text;
  try {
    answer = await asked;
    text = await answer.text();
  } catch {
    if (form) refuse(form, "No answer came: it is not known whether this was stored.", { href: location.href, text: "Load the page again" });
    else location.href = address;
    return;
  }
  if (form && isSignIn(answer.url)) { refuse(form, "You are signed out: nothing was stored.", { href: signIn(), text: "Sign in and come back" }); return; }
  const next = new DOMParser().parseFromString(text, "text/html");
  if (form && !answer.ok) {
    const said = next.querySelector("main p")?.textContent ?? `Nothing was stored (${answer.status}).`;
    refuse(form, said, answer.status === 422 ? null : { href: location.href, text: "Load the page again" });
    return;
  }
  if (form) dropDraft();
  if (!next.querySelector("[data-desk]")) {
    const said = [...next.querySelectorAll(".flash")].map((one) => one.textContent);
    sessionStorage.setItem("said", JSON.stringify(said));
    location.href = answer.url;
    return;
  }
  const stayed = form && !form.matches(".decide") && next.querySelector("[data-desk] video")?.getAttribute("src") === video.getAttribute("src") ? where(form) : null;
  exchange(next);
  history.pushState(null, "", answer.url);
  await start(stayed);
}
// Where one is on the page: a correction settles the round again, and everything else stays as it is.
function where(form) {
  const object = felt.drawn?.objects[felt.chosen];
  const added = form.matches("[data-add]") ? [Number(form.elements.x_mm.value), Number(form.elements.y_mm.value)] : null;
  return { time: here(), place: added ?? object?.xy_mm ?? null, enlarged: [zoom.scale, zoom.x, zoom.y], down: window.scrollY, side: form.matches("[data-seen]") ? 0 : desk.querySelector(".side").scrollTop };
}
function resume({ time, place, enlarged, down, side }) {
  [zoom.scale, zoom.x, zoom.y] = enlarged;
  zoom.place();
  seek(time);
  felt.draw(1000 * time);
  if (place) felt.chooseAt(place);
  window.scrollTo(0, down);
  desk.querySelector(".side").scrollTop = side;
}
function refuse(form, text, way) {
  keepDraft(form);
  deciding = false;
  complain(form, text, way);
}
function exchange(next) {
  felt = null;
  halt();
  const player = next.querySelector("[data-desk] video");
  video.pause();
  if (player.getAttribute("src") === video.getAttribute("src")) player.replaceWith(video);
  document.title = next.title;
  for (const old of document.querySelectorAll("body > .flash")) old.remove();
  document.querySelector("main").replaceChildren(...next.querySelector("main").childNodes);
  const [now, then] = [document.querySelector("[data-waiting]"), next.querySelector("[data-waiting]")];
  if (now && then) now.replaceWith(then);
  window.scrollTo(0, 0);
}

function listen() {
  for (const button of document.querySelectorAll("[data-act]")) button.addEventListener("click", () => ACTS[button.dataset.act]());
  // A click leaves the keys to the clip: space plays it, and does not press the button again.
  document.querySelector(".controls").addEventListener("click", (event) => { if (event.detail) event.target.closest("button")?.blur(); });
  for (const button of document.querySelectorAll("[data-show]")) {
    button.setAttribute("aria-pressed", shown[button.dataset.show]);
    button.addEventListener("click", () => flip(button.dataset.show));
  }
  for (const row of document.querySelectorAll("[data-seek]")) row.addEventListener("click", () => seek(Number(row.dataset.seek) / 1000));
  document.querySelector("[data-nothing]")?.addEventListener("click", () => remove());
  const scrub = (event) => { const box = track.getBoundingClientRect(); seek(clipFirst + ((event.clientX - box.left) / box.width) * (clipLast - clipFirst)); };
  track.addEventListener("pointerdown", (event) => { if (event.target.closest(".mark")) return; dragging = true; track.setPointerCapture(event.pointerId); scrub(event); });
  track.addEventListener("pointermove", (event) => { if (dragging) scrub(event); });
  track.addEventListener("pointerup", () => { dragging = false; });
}

// The stills wait until somebody stays on the page: who decides at once shall not wait for them.
function prove() {
  const box = overlay.viewBox.baseVal;
  const times = [Math.max(round.clip_ms[0], round.incident_ms[0] - 1000), round.incident_ms[0], round.incident_ms[1], Math.min(round.clip_ms[1] - 40, round.incident_ms[1] + 1000)];
  const places = [...document.querySelectorAll("[data-still]")];
  places.forEach((node, i) => {
    node.dataset.still = times[i];
    node.querySelector(".num").textContent = seconds(times[i] / 1000);
  });
  const drawing = felt;
  const alive = () => felt === drawing;
  setTimeout(() => { if (alive()) stills(places, video.currentSrc || video.src, drawing, { width: box.width, height: box.height, seek, alive }); }, 1200);
}

async function start(stayed = null) {
  desk = document.querySelector("[data-desk]");
  [video, overlay, track, clock] = ["video", "svg.overlay", ".track", ".clock"].map((name) => desk.querySelector(name));
  panel = document.querySelector("[data-reading]");
  round = await (await fetch(desk.dataset.states)).json();
  [clipFirst, clipLast] = round.clip_ms.map((ms) => ms / 1000);
  [seenFirst, seenLast] = round.incident_ms.map((ms) => ms / 1000);
  frame = round.frame_ms / 1000;
  [looping, reverse, speed, lastShown, dragging, deciding, blindAt] = [false, null, 1, null, false, false, null];
  felt = new Felt(round, overlay, desk.querySelector("svg.plan"), read, shown);
  adding = new Adding(round, felt, desk.querySelector("[data-add]"), { video, here, overlay, plan: desk.querySelector("svg.plan") });
  seen = new Seen(desk.querySelector("[data-seen]"), { video, here });
  zoom = new Zoom(desk.querySelector(".stage"), desk.querySelector(".stage .view"));
  listen();
  restoreDraft();
  keepFinding(desk.dataset.finding, document.querySelector("[data-queue]"));
  buildTrack();
  follow(video);
  const begin = () => { video.playbackRate = 1; if (stayed) resume(stayed); else toBegin(); };
  if (video.error) unseen(stayed);
  else if (video.readyState >= 1) begin();
  else video.addEventListener("loadedmetadata", begin, { once: true });
  desk.dataset.ready = "yes";
  prove();
}
await start();
