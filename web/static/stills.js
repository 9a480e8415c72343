// Still frames that prove a finding: taken from the same recording by a second, hidden player, with the boxes of the moment.
const COLOURS = { card: "#6cb6ff", card_back: "#b59bff", chips: "#ffd166", die: "#7bd88f" };

export async function stills(places, source, felt, width, height, seek) {
  const eye = document.createElement("video");
  eye.muted = true;
  eye.preload = "auto";
  eye.src = source;
  try {
    await once(eye, "loadeddata");
    for (const place of places) {
      const ms = Number(place.dataset.still);
      eye.currentTime = ms / 1000;
      await once(eye, "seeked");
      paint(place.querySelector("canvas"), eye, felt.stateAt(ms), width, height);
      place.addEventListener("click", () => seek(ms / 1000));
      place.dataset.drawn = "yes";
    }
  } catch {
    for (const place of places) place.hidden = true; // the format is one that this browser cannot show
  }
  eye.removeAttribute("src");
  eye.load();
}

function once(target, name) {
  return new Promise((resolve, reject) => {
    target.addEventListener(name, resolve, { once: true });
    target.addEventListener("error", reject, { once: true });
  });
}

function paint(canvas, eye, state, width, height) {
  const scale = canvas.width / width;
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  context.drawImage(eye, 0, 0, canvas.width, canvas.height);
  context.lineWidth = 1.5;
  for (const object of state?.objects ?? []) {
    if (!object.polygon_px) continue;
    context.strokeStyle = COLOURS[object.kind] ?? "#fff";
    context.beginPath();
    object.polygon_px.forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](x * scale, y * scale));
    context.closePath();
    context.stroke();
  }
}
