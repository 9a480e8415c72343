// Still frames that prove a finding: taken from the same recording by a second, hidden player, with the boxes of the moment.
import { isEmpty } from "./pictures.js";
import { Zoom } from "./zoom.js";

const COLOURS = { card: "#6cb6ff", card_back: "#b59bff", chips: "#ffd166", die: "#7bd88f" };

let eye = null;

// Draws the stills one after the other while ``alive()``: who has gone on to another finding needs them no more.
export async function stills(places, source, felt, { width, height, seek, alive }) {
  if (eye?.dataset.source !== source) eye = opened(source);
  const player = eye;
  try {
    if (player.readyState < 2) await once(player, "loadeddata");
    for (const place of places) {
      if (!alive() || player !== eye) return;
      const ms = Number(place.dataset.still);
      player.currentTime = ms / 1000;
      await once(player, "seeked");
      const canvas = place.querySelector("canvas");
      [canvas.width, canvas.height] = [width, height]; // as large as the recording, so that it can be enlarged
      for (let tries = 30; tries && alive() && !shows(canvas, player); tries -= 1) await new Promise((resume) => setTimeout(resume, 100));
      if (!alive()) return;
      outline(canvas, felt.stateAt(ms), width);
      place.addEventListener("click", () => seek(ms / 1000));
      place.addEventListener("dblclick", () => enlarge(place));
      place.dataset.drawn = "yes";
    }
  } catch {
    for (const place of places) place.hidden = true; // the format is one that this browser cannot show
  }
}

// Shows a still as large as the screen, to be enlarged further by keys and wheel.
export function enlarge(place) {
  const dialog = document.querySelector("dialog#frame");
  const [still, picture] = [place.querySelector("canvas"), dialog.querySelector("canvas")];
  [picture.width, picture.height] = [still.width, still.height];
  picture.getContext("2d").drawImage(still, 0, 0);
  dialog.querySelector("[data-frame]").textContent = place.textContent.trim();
  dialog.showModal();
  if (!dialog.zoom) {
    dialog.zoom = new Zoom(dialog.querySelector(".frame"), picture);
    const keys = { "+": () => dialog.zoom.step(1), "=": () => dialog.zoom.step(1), "-": () => dialog.zoom.step(-1), 0: () => dialog.zoom.reset() };
    dialog.addEventListener("keydown", (event) => { if (keys[event.key]) { event.preventDefault(); keys[event.key](); } });
  }
  dialog.zoom.reset();
  picture.focus();
}

function opened(source) {
  if (eye) { eye.removeAttribute("src"); eye.load(); }
  const player = document.createElement("video");
  player.muted = true;
  player.preload = "auto";
  player.dataset.source = source;
  player.src = source;
  return player;
}

function once(target, name) {
  return new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    target.addEventListener("error", reject, { once: true });
  });
}

// Draws the player's picture; says whether there is one.
function shows(canvas, player) {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(player, 0, 0, canvas.width, canvas.height);
  return !isEmpty(context.getImageData(0, 0, canvas.width, canvas.height));
}

function outline(canvas, state, width) {
  const scale = canvas.width / width;
  const context = canvas.getContext("2d");
  context.lineWidth = 1.5 * (canvas.width / 480);
  for (const object of state?.objects ?? []) {
    if (!object.polygon_px) continue;
    context.strokeStyle = COLOURS[object.kind] ?? "#fff";
    context.beginPath();
    object.polygon_px.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x * scale, y * scale));
    context.closePath();
    context.stroke();
  }
}
