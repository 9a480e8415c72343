// The profile editor: zones and points dragged over a frame, the felt rectified beside it, a new version saved.
import { cameraOf } from "./camera.js";
import { isEmpty } from "./pictures.js";

const editor = document.querySelector("[data-editor]");
const find = (name) => editor.querySelector(`[data-${name}]`);
const record = JSON.parse(find("record").textContent);
record.zone ??= [];
const frame = find("frame");
const felt = find("felt");
const over = find("zones");
const plan = find("plan");
const picker = find("zone");
const history = [];
const stored = JSON.stringify(record);
let saving = false;
const size = record.camera?.image_size ?? [1920, 1080];
const SVG = "http://www.w3.org/2000/svg";
let chosen = 0;
let camera = cameraOf(record.camera);
let pixels = null;

[frame.width, frame.height] = size;
over.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
frame.parentElement.style.aspectRatio = `${size[0]} / ${size[1]}`;

const bounds = (() => {
  const all = record.zone.flatMap((zone) => zone.polygon_mm);
  const [xs, ys] = [0, 1].map((k) => all.map((p) => p[k]));
  if (!all.length) return { x: -700, y: -100, w: 1400, h: 875 };
  const x = Math.min(...xs) - 100;
  const y = Math.min(...ys) - 100;
  const w = Math.max(...xs) + 100 - x;
  return { x, y, w, h: Math.max(Math.max(...ys) + 100 - y, w / 4) };
})();
felt.height = Math.round((felt.width * bounds.h) / bounds.w);
// Seen as the players see the dealer: the rack above, the dealer's right at the left.
const onPlan = ([x, y]) => [((bounds.x + bounds.w - x) / bounds.w) * felt.width, ((y - bounds.y) / bounds.h) * felt.height];
plan.setAttribute("viewBox", `0 0 ${felt.width} ${felt.height}`);
felt.parentElement.style.aspectRatio = `${felt.width} / ${felt.height}`;

const element = (name, attributes, parent, text) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
};
const written = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const remember = () => { history.push(JSON.stringify(record)); if (history.length > 200) history.shift(); };

function outline(zone) {
  const corners = zone.polygon_mm;
  return corners.flatMap((p, i) => {
    const q = corners[(i + 1) % corners.length];
    return [0, 0.25, 0.5, 0.75].map((s) => camera.toPixels([p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]));
  });
}

function draw() {
  tellUnsaved();
  const focused = document.activeElement?.getAttribute?.("data-handle");
  over.replaceChildren();
  plan.replaceChildren();
  if (camera) record.zone.forEach(drawZone);
  if (camera && record.zone[chosen]) drawCorners(record.zone[chosen]); // above every zone, so that each can be taken hold of
  (record.camera?.points_px ?? []).forEach((point, i) => {
    handle(point, `point ${i + 1}, felt ${record.camera.points_mm[i].slice(0, 2).join(", ")} mm`, `p${i}`, "point", (to) => {
      record.camera.points_px[i] = to.map((value) => Math.round(value * 10) / 10);
      camera = cameraOf(record.camera) ?? camera;
    });
  });
  if (focused) over.querySelector(`[data-handle="${focused}"]`)?.focus();
  find("camera").textContent = record.camera?.matrix
    ? "The camera is given as a full model: its numbers are edited as text below."
    : camera ? `The camera is solved from ${record.camera.points_px.length} points: drag them onto what they mark.` : "No camera that can be solved: at least four points are needed.";
  rectify();
}

function drawZone(zone, i) {
  const mine = i === chosen;
  const shape = element("polygon", { points: written(outline(zone)), class: mine ? "zone mine" : "zone" }, over);
  shape.addEventListener("pointerdown", () => { choose(i); });
  element("polygon", { points: written(zone.polygon_mm.map(onPlan)), class: mine ? "zone mine" : "zone" }, plan);
  const middle = [0, 1].map((k) => zone.polygon_mm.reduce((sum, p) => sum + p[k], 0) / zone.polygon_mm.length);
  const [x, y] = camera.toPixels(middle);
  element("text", { x: x.toFixed(1), y: y.toFixed(1), class: mine ? "mine" : "", "font-size": size[0] / 95 }, over, zone.name);
}

function drawCorners(zone) {
  zone.polygon_mm.forEach((corner, k) => {
    handle(camera.toPixels(corner), `corner ${k + 1} of ${zone.name}`, `c${k}`, "corner", (to) => {
      const at = camera.toFelt(to);
      if (at.every(Number.isFinite)) zone.polygon_mm[k] = at.map((value) => Math.round(value * 10) / 10);
    }, (dx, dy) => { zone.polygon_mm[k] = [Math.round((corner[0] - dx) * 10) / 10, Math.round((corner[1] + dy) * 10) / 10]; }, () => {
      if (zone.polygon_mm.length > 3) zone.polygon_mm.splice(k, 1);
    });
  });
}

function handle([x, y], label, name, kind, moveTo, step, remove) {
  const dot = element("circle", { cx: x, cy: y, r: size[0] / 190, class: `handle ${kind}`, tabindex: 0, role: "button", "aria-label": `${label}; arrow keys move it`, "data-handle": name }, over);
  dot.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    remember();
    const move = (moved) => { moveTo(place(moved)); draw(); };
    const up = () => { window.removeEventListener("pointermove", move); window.removeEventListener("pointerup", up); };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
  });
  dot.addEventListener("keydown", (event) => {
    const far = event.shiftKey ? 10 : 1;
    const way = { ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far] }[event.key];
    if (way) {
      event.preventDefault();
      remember();
      if (step) step(...way); else moveTo([x + way[0], y + way[1]]);
      draw();
    } else if (event.key === "Delete" && remove) {
      remember();
      remove();
      draw();
    }
  });
}

function place(event) {
  const box = over.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * size[0], ((event.clientY - box.top) / box.height) * size[1]];
}

let waiting = false;
function rectify() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    const context = felt.getContext("2d");
    const { width: w, height: h } = felt;
    const out = context.createImageData(w, h);
    if (pixels && camera) {
      for (let row = 0; row < h; row += 1) {
        const y = bounds.y + (row / h) * bounds.h;
        for (let column = 0; column < w; column += 1) {
          const [px, py] = camera.toPixels([bounds.x + bounds.w - (column / w) * bounds.w, y]);
          const to = 4 * (row * w + column);
          if (px >= 0 && py >= 0 && px < size[0] && py < size[1]) {
            const from = 4 * (Math.trunc(py) * size[0] + Math.trunc(px));
            out.data.set(pixels.data.subarray(from, from + 3), to);
          }
          out.data[to + 3] = 255;
        }
      }
    }
    context.putImageData(out, 0, 0);
    grid(context, w, h);
    editor.dataset.ready = "yes";
  });
}

function grid(context, w, h) {
  context.strokeStyle = "#ffffff40";
  context.beginPath();
  for (let x = Math.ceil(bounds.x / 100) * 100; x < bounds.x + bounds.w; x += 100) { const [at] = onPlan([x, 0]); context.moveTo(at, 0); context.lineTo(at, h); }
  for (let y = Math.ceil(bounds.y / 100) * 100; y < bounds.y + bounds.h; y += 100) { const [, at] = onPlan([0, y]); context.moveTo(0, at); context.lineTo(w, at); }
  context.stroke();
}

function choose(i) { chosen = i; picker.selectedIndex = i; draw(); }
function list() {
  picker.replaceChildren(...record.zone.map((zone) => new Option(zone.name)));
  chosen = Math.min(chosen, record.zone.length - 1);
  picker.selectedIndex = chosen;
}

function show(source, width, height, told) {
  const context = frame.getContext("2d", { willReadFrequently: true });
  context.drawImage(source, 0, 0, size[0], size[1]);
  pixels = context.getImageData(0, 0, size[0], size[1]);
  const same = width === size[0] && height === size[1];
  find("told").textContent = same ? told : `The picture is ${width} × ${height}, the profile's camera ${size[0]} × ${size[1]}: it is shown stretched.`;
  draw();
}

const video = document.createElement("video");
video.muted = true;
video.preload = "auto";
function shown(tries) {
  if (video.readyState < 2 || video.seeking) return;
  show(video, video.videoWidth, video.videoHeight, "");
  if (tries && isEmpty(pixels)) setTimeout(shown, 100, tries - 1);
}
video.addEventListener("seeked", () => shown(30));
video.addEventListener("loadedmetadata", () => { video.currentTime = Math.min(Number(find("second").value) || 0, Math.max(0, video.duration - 0.1)); });
video.addEventListener("error", () => { find("told").textContent = "This browser cannot show the recording: choose a still picture of it."; draw(); });
const load = () => { if (find("recording").value) video.src = editor.dataset.video.replace("/N/", `/${find("recording").value}/`); };
find("recording").addEventListener("change", load);
find("second").addEventListener("change", () => { video.currentTime = Number(find("second").value) || 0; });
find("still").addEventListener("change", (event) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => {
    const picture = new Image();
    picture.addEventListener("load", () => show(picture, picture.naturalWidth, picture.naturalHeight, ""));
    picture.src = reader.result;
  });
  if (event.target.files[0]) reader.readAsDataURL(event.target.files[0]);
});

// The rule sets of the chosen game; a house's own file, or a name that does not fit, stays to be seen.
function offerRules() {
  const select = find("rules");
  const named = record.table?.rules ?? "";
  const known = JSON.parse(select.dataset.rules)[record.table?.game] ?? [];
  const other = named && !known.includes(named) ? [new Option(named.endsWith(".toml") ? named : `${named}: not of this game`, named)] : [];
  select.replaceChildren(new Option(known.length ? `the game's own (${known[0]})` : "the game's own", ""), ...known.map((name) => new Option(name, name)), ...other);
}
function fill() {
  offerRules();
  for (const input of editor.querySelectorAll("[data-field]")) { const [s, k] = input.dataset.field.split("."); input.value = record[s]?.[k] ?? ""; }
}
for (const input of editor.querySelectorAll("[data-field]")) {
  const [section, key] = input.dataset.field.split(".");
  input.addEventListener("change", () => {
    remember();
    record[section] ??= {};
    if (input.value === "") delete record[section][key]; else record[section][key] = input.value;
    fill();
  });
}
fill();
picker.addEventListener("change", () => choose(picker.selectedIndex));

const acts = {
  corner() {
    const corners = record.zone[chosen]?.polygon_mm;
    if (!corners) return;
    remember();
    const lengths = corners.map((p, i) => Math.hypot(p[0] - corners[(i + 1) % corners.length][0], p[1] - corners[(i + 1) % corners.length][1]));
    const at = lengths.indexOf(Math.max(...lengths));
    const next = corners[(at + 1) % corners.length];
    corners.splice(at + 1, 0, [0, 1].map((k) => Math.round(5 * (corners[at][k] + next[k])) / 10));
    draw();
  },
  remove() { if (!record.zone.length) return; remember(); record.zone.splice(chosen, 1); list(); draw(); },
  add() {
    const name = find("name").value.trim();
    if (!name) return;
    remember();
    const [x, y] = [Math.round(bounds.x + bounds.w / 2), Math.round(bounds.y + bounds.h / 2)];
    record.zone.push({ name, polygon_mm: [[x - 40, y - 40], [x + 40, y - 40], [x + 40, y + 40], [x - 40, y + 40]] });
    find("name").value = "";
    chosen = record.zone.length - 1;
    list();
    draw();
  },
  undo() {
    const before = history.pop();
    if (!before) return;
    for (const key of Object.keys(record)) delete record[key];
    Object.assign(record, JSON.parse(before));
    camera = cameraOf(record.camera);
    fill();
    list();
    draw();
  },
  check: () => send(editor.dataset.check, "The check finds nothing wrong."),
  async save() {
    const said = await send(editor.dataset.save, "Stored.");
    saving = Boolean(said?.address);
    if (saving) location.href = said.address;
  },
};
function isUnsaved() { return !saving && JSON.stringify(record) !== stored; }
function tellUnsaved() { find("dirty").hidden = !isUnsaved(); }
editor.addEventListener("input", tellUnsaved);
editor.addEventListener("change", tellUnsaved);
window.addEventListener("beforeunload", (event) => {
  if (!isUnsaved()) return;
  event.preventDefault();
  event.returnValue = "";
});
for (const button of editor.querySelectorAll("[data-act]")) button.addEventListener("click", () => acts[button.dataset.act]());
document.addEventListener("keydown", (event) => {
  if (event.target.matches("textarea, input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "u") acts.undo();
});

async function send(address, good) {
  find("state").textContent = "being checked …";
  find("problems").replaceChildren();
  const body = new FormData();
  body.set("record", JSON.stringify(record));
  const answer = await fetch(address, { method: "POST", body, headers: { "X-Catwalk-Token": editor.dataset.token } });
  const said = await answer.json().catch(() => ({ problems: [`The server answered ${answer.status}.`] }));
  find("state").textContent = answer.ok ? good : "Nothing was stored:";
  find("problems").replaceChildren(...(said.problems ?? []).map((text) => Object.assign(document.createElement("li"), { textContent: text })));
  if (said.verdict) verdict(said.verdict);
  return said;
}

function verdict({ checks, zones }) {
  const table = document.createElement("table");
  table.innerHTML = "<thead><tr><th>Zone</th><th class='num'>Card index px</th><th class='num'>Chip edge px</th><th class='num'>Elevation</th></tr></thead><tbody></tbody>";
  for (const [name, view] of Object.entries(zones)) {
    const row = table.tBodies[0].insertRow();
    [name, view.index_px, view.chip_edge_px, `${view.elevation_deg}°`].forEach((value, i) => { const cell = row.insertCell(); cell.textContent = value; if (i) cell.className = "num"; });
  }
  const words = Object.entries(checks).map(([name, text]) => Object.assign(document.createElement("p"), { textContent: `${name}: ${text}`, className: "note" }));
  find("verdict").replaceChildren(...words, table);
}

list();
draw();
load();
