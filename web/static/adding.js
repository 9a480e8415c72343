// Saying what lies where recognition saw nothing: a mark on the plan and in the picture, placed by pointer or arrow keys.
import { element, holds } from "./felt.js";
import { seconds } from "./moments.js";

const CARD = [[-31.5, -44], [31.5, -44], [31.5, 44], [-31.5, 44]];
const between = (a, b, t) => a + (b - a) * t;

export class Adding {
  constructor(round, felt, form, { video, here, overlay, plan }) {
    Object.assign(this, { round, felt, form, video, here, overlay, plan, at: null });
    if (!form) return;
    const zones = form.elements.zone;
    for (const zone of round.zones) zones.append(new Option(zone.name, zone.name));
    const wanted = form.dataset.zone;
    if (round.zones.some((one) => one.name === wanted)) zones.value = wanted;
    zones.addEventListener("change", () => this.toZone());
    for (const name of ["reading", "sideways"]) form.elements[name].addEventListener("input", () => this.mark());
    form.querySelector("[data-aim]").addEventListener("keydown", (event) => this.move(event));
    for (const [name, text] of [["since_ms", "from"], ["until_ms", "until"]]) {
      form.querySelector(`[data-bound=${name}]`).addEventListener("click", () => this.bound(name, text));
    }
    form.parentElement.addEventListener("toggle", () => this.turn());
    plan.addEventListener("click", (event) => { if (this.open) this.place(this.fromPlan(event)); });
    overlay.closest(".stage").addEventListener("click", (event) => { if (this.open) this.place(this.fromPicture(event)); });
  }

  get open() { return Boolean(this.form?.parentElement.open); }

  // Open the form at the moment that is shown, and go to the choice of a zone; a second time closes it.
  start() {
    if (!this.form) return;
    this.form.parentElement.open = !this.open;
    if (this.open) this.form.elements.zone.focus({ preventScroll: true });
  }

  turn() {
    this.overlay.closest(".stage").classList.toggle("aiming", this.open);
    this.plan.classList.toggle("aiming", this.open);
    if (!this.open) { this.clear(); return; }
    this.video.pause();
    if (this.at) this.mark(); else this.toZone();
  }

  toZone() {
    const zone = this.round.zones.find((one) => one.name === this.form.elements.zone.value);
    if (!zone) return;
    const mean = (axis) => zone.polygon_mm.reduce((sum, corner) => sum + corner[axis], 0) / zone.polygon_mm.length;
    this.place([mean(0), mean(1)]);
  }

  // The plan looks from the players' side: an arrow moves the mark as one sees it there.
  move(event) {
    const step = event.shiftKey ? 2 : 10;
    const by = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
    if (!by || !this.at) return;
    event.preventDefault();
    this.place([this.at[0] + by[0], this.at[1] + by[1]]);
  }

  place(at) {
    if (!at) return;
    this.at = at;
    this.mark();
  }

  bound(name, text) {
    const ms = Math.round(1000 * this.here());
    this.form.elements[name].value = ms;
    this.form.querySelector(`[data-bound=${name}]`).textContent = `${text} ${seconds(ms / 1000)}`;
  }

  // Before the form is sent: the moment that is shown.
  fill() { this.form.elements.at_ms.value = Math.round(1000 * this.here()); }

  clear() { for (const node of document.querySelectorAll(".aim")) node.remove(); }

  mark() {
    this.clear();
    if (!this.open || !this.at) return;
    const [x, y] = this.at;
    [this.form.elements.x_mm.value, this.form.elements.y_mm.value] = [x.toFixed(1), y.toFixed(1)];
    const zone = this.round.zones.find((one) => holds(one.polygon_mm, this.at));
    this.form.querySelector("[data-aim]").textContent = `${zone ? zone.name : "outside every zone"} · ${x.toFixed(0)}, ${y.toFixed(0)} mm`;
    const corners = this.outline(zone);
    this.plan.append(element("polygon", { class: "aim", points: corners.map(([a, b]) => `${-a},${b}`).join(" ") }));
    const seen = corners.map((corner) => this.toPicture(corner));
    if (!seen.includes(null)) this.overlay.append(element("polygon", { class: "aim", points: seen.map(([u, v]) => `${u},${v}`).join(" ") }));
  }

  // A card's outline at its seat's angle, or a disc of a chip's size.
  outline(zone) {
    const [x, y] = this.at;
    const text = this.form.elements.reading.value.trim();
    if (text && !/^(10|[2-9tjqka])[cdhs]?$/i.test(text)) {
      return [...Array(12).keys()].map((i) => [x + 19.5 * Math.cos((i * Math.PI) / 6), y + 19.5 * Math.sin((i * Math.PI) / 6)]);
    }
    const seat = zone?.name.match(/^seat(\d)/)?.[1];
    const turn = ((this.round.axes[seat] ?? 0) + (this.form.elements.sideways.checked ? 90 : 0)) * (Math.PI / 180);
    return CARD.map(([a, b]) => [x + a * Math.cos(turn) - b * Math.sin(turn), y + a * Math.sin(turn) + b * Math.cos(turn)]);
  }

  fromPlan(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.plan.getScreenCTM().inverse());
    return [-x, y];
  }

  fromPicture(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.overlay.getScreenCTM().inverse());
    return this.toFelt([x, y]);
  }

  cell(column, row) {
    const { px, columns } = this.round.grid;
    const at = row * columns + column;
    return [px[at], px[at + 1], px[at + columns], px[at + columns + 1]];
  }

  // Where a point of the felt is seen, between the four points of the grid around it; null outside of the grid.
  toPicture([x, y]) {
    const grid = this.round.grid;
    if (!grid?.px.length) return null;
    const [a, b] = [(x - grid.first_mm[0]) / grid.step_mm, (y - grid.first_mm[1]) / grid.step_mm];
    const [column, row] = [Math.floor(a), Math.floor(b)];
    if (column < 0 || row < 0 || column > grid.columns - 2 || row > grid.px.length / grid.columns - 2) return null;
    const [p, q, r, s] = this.cell(column, row);
    return [0, 1].map((axis) => between(between(p[axis], q[axis], a - column), between(r[axis], s[axis], a - column), b - row));
  }

  // The point of the felt that is seen there: the cell of the grid that holds it, then Newton's method within it.
  toFelt(point) {
    const grid = this.round.grid;
    const rows = grid ? grid.px.length / grid.columns : 0;
    for (let row = 0; row < rows - 1; row += 1) {
      for (let column = 0; column < grid.columns - 1; column += 1) {
        const [p, q, r, s] = this.cell(column, row);
        if (holds([p, q, s, r], point)) return this.within(point, [p, q, r, s], column, row);
      }
    }
    return null;
  }

  within([u, v], [p, q, r, s], column, row) {
    let [a, b] = [0.5, 0.5];
    for (let i = 0; i < 6; i += 1) {
      const miss = [0, 1].map((axis) => [u, v][axis] - between(between(p[axis], q[axis], a), between(r[axis], s[axis], a), b));
      const along = [0, 1].map((axis) => between(q[axis] - p[axis], s[axis] - r[axis], b));
      const down = [0, 1].map((axis) => between(r[axis] - p[axis], s[axis] - q[axis], a));
      const area = along[0] * down[1] - along[1] * down[0];
      a += (miss[0] * down[1] - miss[1] * down[0]) / area;
      b += (along[0] * miss[1] - along[1] * miss[0]) / area;
    }
    const { first_mm, step_mm } = this.round.grid;
    return [first_mm[0] + (column + a) * step_mm, first_mm[1] + (row + b) * step_mm];
  }
}
