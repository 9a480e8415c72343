// Enlarging a picture up to four times: by wheel at the pointer, by keys at the middle; dragged while it is enlarged.
const MOST = 4, STEP = 1.25, MOVED_PX = 4;

export class Zoom {
  // ``frame`` clips, ``view`` within it is enlarged; what is drawn over the picture lies in the view as well.
  constructor(frame, view) {
    Object.assign(this, { frame, view, scale: 1, x: 0, y: 0, from: null, dragged: false });
    frame.addEventListener("wheel", (event) => this.turn(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.take(event));
    frame.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, () => { this.from = null; });
    // A drag ends with a click, which chooses nothing.
    frame.addEventListener("click", (event) => { if (this.dragged) event.stopPropagation(); this.dragged = false; }, { capture: true });
  }

  // One step in (1) or out (-1) around a point of the frame, its middle unless told.
  step(way, at = { x: this.frame.clientWidth / 2, y: this.frame.clientHeight / 2 }) {
    const scale = Math.min(MOST, Math.max(1, this.scale * STEP ** way));
    const by = scale / this.scale;
    [this.x, this.y, this.scale] = [at.x - by * (at.x - this.x), at.y - by * (at.y - this.y), scale];
    this.place();
  }

  reset() { [this.scale, this.x, this.y] = [1, 0, 0]; this.place(); }

  place() {
    const [width, height] = [this.frame.clientWidth, this.frame.clientHeight];
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.view.style.transform = this.scale === 1 ? "" : `translate(${this.x}px, ${this.y}px) scale(${this.scale})`;
    this.frame.style.setProperty("--zoom", this.scale);
    this.frame.classList.toggle("enlarged", this.scale > 1);
  }

  // Turned back at its own size, the wheel scrolls the page as elsewhere.
  turn(event) {
    if (event.ctrlKey || (event.deltaY > 0 && this.scale === 1)) return;
    event.preventDefault();
    const box = this.frame.getBoundingClientRect();
    this.step(event.deltaY < 0 ? 1 : -1, { x: event.clientX - box.left, y: event.clientY - box.top });
  }

  take(event) {
    this.dragged = false;
    if (this.scale > 1 && event.button === 0) this.from = { x: event.clientX - this.x, y: event.clientY - this.y, at: [event.clientX, event.clientY] };
  }

  drag(event) {
    if (!this.from || !event.buttons) return;
    if (Math.hypot(event.clientX - this.from.at[0], event.clientY - this.from.at[1]) > MOVED_PX) this.dragged = true;
    if (!this.dragged) return;
    [this.x, this.y] = [event.clientX - this.from.x, event.clientY - this.from.y];
    this.place();
  }
}
