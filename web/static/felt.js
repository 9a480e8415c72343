// What lies on the felt at a moment: drawn over the video and as a plan, each object to be chosen by pointer or key.
const SVG = "http://www.w3.org/2000/svg";
const CHIP = { blue: "#2f63c4", white: "#e9e9e4", pink: "#e58bb0", red: "#c02a2a", green: "#1d8a4a", black: "#222", purple: "#6b3fa0", orange: "#e07b1f", grey: "#8b9096", teal: "#1f8f96" };
const CHOOSABLE = new Set(["card", "card_back", "chips", "die"]);

export const element = (name, attributes, text) => {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
};
const points = (polygon) => polygon.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
const sized = (px) => `font-size: calc(${px.toFixed(1)}px / var(--zoom, 1))`; // as large on an enlarged picture
const pretty = (card) => card[0].replace("T", "10") + { c: "♣", d: "♦", h: "♥", s: "♠" }[card[1]];

export function runs(stack) {
  const parts = [];
  for (const colour of stack) {
    const last = parts[parts.length - 1];
    if (last && last[1] === colour) last[0] += 1;
    else parts.push([1, colour]);
  }
  return parts.map(([n, colour]) => `${n} ${colour}`).join(" + ");
}

export function label(object) {
  if (object.kind === "card") return object.card ? pretty(object.card) : "?";
  if (object.kind === "chips") return object.stack ? runs(object.stack) : "?";
  if (object.kind === "die") return object.value ?? "?";
  return "";
}

// Whether the dice cup is open, and how often it was shaken since the moment before, where that was seen.
export function cupWords(object) {
  const cover = { on: "covered", off: "open" }[object.lid];
  return [cover, object.shakes ? `shaken ${object.shakes}×` : null].filter(Boolean).join(", ");
}

// The other readings of an object, likeliest first: what one would write, and how likely it is.
export function candidates(object) {
  const found = object.candidates ?? {};
  const pairs = Array.isArray(found) ? found.map((one) => [runs(one.stack), one.p]) : Object.entries(found);
  return pairs.sort((one, other) => other[1] - one[1]);
}

export function written(object) {
  if (object.kind === "card") return object.card ?? "";
  if (object.kind === "chips") return object.stack ? runs(object.stack) : "";
  return object.kind === "die" ? `${object.value ?? ""}` : "";
}

export function holds(corners, [x, y]) {
  let inside = false;
  corners.forEach(([x1, y1], i) => {
    const [x0, y0] = corners[(i + corners.length - 1) % corners.length];
    if ((y0 > y) !== (y1 > y) && x < ((x1 - x0) * (y - y0)) / (y1 - y0) + x0) inside = !inside;
  });
  return inside;
}

// The best total of cards as blackjack counts them; a dash while one is face down or not read.
export function total(cards) {
  if (cards.some((one) => !one.card)) return "–";
  const points = cards.map((one) => ("TJQK".includes(one.card[0]) ? 10 : one.card[0] === "A" ? 1 : Number(one.card[0])));
  const sum = points.reduce((a, b) => a + b, 0);
  return `${points.includes(1) && sum + 10 <= 21 ? sum + 10 : sum}`;
}

// What chips are worth, in dollars; a question mark while a pile is not read.
export function worth(piles, cents) {
  if (piles.some((one) => !one.stack || one.stack.some((colour) => !(colour in cents)))) return "$?";
  const sum = piles.flatMap((one) => one.stack).reduce((a, colour) => a + cents[colour], 0);
  return `$${(sum / 100).toFixed(sum % 100 ? 2 : 0)}`;
}

// What the zones are called in the picture: a seat's number at its cards, and of a bet the letters that tell it apart.
export function zoneLabels(zones) {
  const parts = zones.map(({ name }) => [name, name.match(/^seat(\d+)\.([a-z_]*?)(\d*)$/)]);
  const bets = [...new Set(parts.filter(([, part]) => part).map(([, part]) => part[2]))].filter((bet) => bet !== "cards");
  const short = (bet) => {
    let n = 1;
    while (n < bet.length && bets.some((other) => other !== bet && other.startsWith(bet.slice(0, n)))) n += 1;
    return bet.slice(0, n).replace(/^./, (letter) => letter.toUpperCase());
  };
  const others = (name) => name.replace(/^dealer\.cards?/, "D").replaceAll("_", " ");
  return new Map(parts.map(([name, part]) => [name, !part ? others(name) : part[2] === "cards" ? part[1] : short(part[2]) + part[3]]));
}

export class Felt {
  // ``shown`` says what is drawn over the picture: objects, zones, readings.
  constructor(round, overlay, plan, onChoose, shown) {
    Object.assign(this, { round, overlay, plan, onChoose, shown, drawn: undefined, chosen: -1 });
    this.labels = zoneLabels(round.zones);
    this.size = overlay.viewBox.baseVal.width / 85;
    this.buildPlan();
  }

  stateAt(ms) {
    let low = 0;
    let high = this.round.states.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.round.states[middle].t_ms[0] <= ms) low = middle + 1;
      else high = middle;
    }
    return low ? this.round.states[low - 1] : null;
  }

  draw(ms) {
    const state = this.stateAt(ms);
    const moving = state !== null && ms > state.t_ms[1] + 40;
    this.overlay.classList.toggle("moving", moving);
    if (state === this.drawn) return;
    this.chosen = this.follow(state);
    this.drawn = state;
    this.redraw();
    if (this.chosen < 0) this.onChoose(null, state);
  }

  // An object that is chosen stays chosen while something of its kind lies in its place.
  follow(state) {
    const before = this.drawn?.objects[this.chosen];
    if (!before || !state) return -1;
    return state.objects.findIndex((one) => one.kind === before.kind && Math.hypot(one.xy_mm[0] - before.xy_mm[0], one.xy_mm[1] - before.xy_mm[1]) < 16);
  }

  redraw() {
    const state = this.drawn;
    this.overlay.replaceChildren();
    if (this.shown.zones) this.drawZones(state);
    this.drawHere();
    state?.objects.forEach((object, index) => {
      if (!this.shown.objects || !object.polygon_px) return;
      const shape = element("polygon", { points: points(object.polygon_px), class: this.classOf(object, index) });
      if (CHOOSABLE.has(object.kind)) shape.addEventListener("click", () => this.choose(index));
      this.overlay.append(shape);
      if (this.shown.readings) this.drawLabel(object);
    });
    this.drawPlan(state);
  }

  classOf(object, index) {
    return `o-${object.kind}${index === this.chosen ? " chosen" : ""}${object.first_reading ? " corrected" : ""}`;
  }

  drawZones(state) {
    for (const zone of this.round.zones) {
      if (!zone.polygon_px) continue;
      const covered = state?.covered.includes(zone.name);
      this.overlay.append(element("polygon", { points: points(zone.polygon_px), class: covered ? "o-covered" : "o-zone" }));
      const [x, y] = [0, 1].map((axis) => zone.polygon_px.reduce((sum, corner) => sum + corner[axis], 0) / zone.polygon_px.length);
      this.overlay.append(element("text", { x, y: y + 0.4 * this.size, class: "o-zone-name", "text-anchor": "middle", style: sized(1.2 * this.size) }, this.labels.get(zone.name)));
    }
  }

  // The zone that the finding is about, whatever else is drawn.
  drawHere() {
    const zone = this.round.zones.find((one) => one.name === this.round.here);
    if (!zone?.polygon_px) return;
    const low = zone.polygon_px.reduce((a, b) => (b[1] > a[1] ? b : a));
    const name = zone.name.replace(/^seat(\d+)\./, "$1 · ").replaceAll("_", " ");
    this.overlay.append(element("polygon", { points: points(zone.polygon_px), class: "o-here" }));
    this.overlay.append(element("text", { x: low[0], y: low[1] + 1.2 * this.size, class: "o-here-name", "text-anchor": "middle", style: sized(this.size) }, name));
  }

  drawLabel(object) {
    const top = object.polygon_px.reduce((a, b) => (b[1] < a[1] ? b : a));
    this.overlay.append(element("text", { x: top[0], y: top[1] - 0.4 * this.size, "text-anchor": "middle", style: sized(this.size) }, label(object)));
  }

  choose(index) {
    this.chosen = index;
    this.redraw();
    this.onChoose(this.drawn?.objects[index] ?? null, this.drawn);
  }

  // What lies at a place of the felt, if anything does.
  chooseAt([x, y]) {
    const far = (one) => Math.hypot(one.xy_mm[0] - x, one.xy_mm[1] - y);
    const there = (this.drawn?.objects ?? []).filter((one) => CHOOSABLE.has(one.kind) && far(one) < 16).sort((one, other) => far(one) - far(other));
    if (there.length) this.choose(this.drawn.objects.indexOf(there[0]));
  }

  // The next object in reading order, for those who choose by key.
  step(by) {
    const places = (this.drawn?.objects ?? []).map((object, index) => [object, index]).filter(([object]) => CHOOSABLE.has(object.kind));
    if (!places.length) return;
    places.sort(([one], [other]) => one.kind.localeCompare(other.kind) || other.xy_mm[0] - one.xy_mm[0] || one.xy_mm[1] - other.xy_mm[1]);
    const at = places.findIndex(([, index]) => index === this.chosen);
    this.choose(places[(at + by + places.length) % places.length][1]);
  }

  flip(name) {
    this.shown[name] = !this.shown[name];
    this.redraw();
    return this.shown[name];
  }

  // The plan looks from the players' side: x to the dealer's right is drawn to the left.
  buildPlan() {
    const corners = this.round.zones.flatMap((zone) => zone.polygon_mm);
    if (!corners.length) return;
    const xs = corners.map(([x]) => -x);
    const ys = corners.map(([, y]) => y);
    ys.push(Math.max(...ys) + 90); // players keep their own chips in front of their bets
    const [x0, y0] = [Math.min(...xs) - 40, Math.min(...ys) - 40];
    this.plan.setAttribute("viewBox", `${x0} ${y0} ${Math.max(...xs) - x0 + 40} ${Math.max(...ys) - y0 + 40}`);
    for (const zone of this.round.zones) this.plan.append(element("polygon", { class: zone.name === this.round.here ? "zone here" : "zone", points: points(zone.polygon_mm.map(([x, y]) => [-x, y])) }));
  }

  drawPlan(state) {
    for (const node of this.plan.querySelectorAll(".now")) node.remove();
    state?.objects.forEach((object, index) => {
      const group = element("g", { class: `now${index === this.chosen ? " chosen" : ""}`, transform: `translate(${-object.xy_mm[0]} ${object.xy_mm[1]})` });
      if (object.kind === "card" || object.kind === "card_back") group.append(...this.cardShapes(object));
      else if (object.kind === "chips") group.append(...this.pileShapes(object));
      else if (object.kind === "die") group.append(element("rect", { x: -14, y: -14, width: 28, height: 28, rx: 5, fill: object.colour ?? "#ddd", stroke: "#fff" }), element("text", { "text-anchor": "middle", y: 10, fill: "#fff" }, label(object)));
      else if (object.kind === "dice_cup") group.append(element("circle", { r: 48, class: "cup" }), element("text", { "text-anchor": "middle", y: 72, fill: "#fff" }, cupWords(object)));
      if (CHOOSABLE.has(object.kind)) group.addEventListener("click", () => this.choose(index));
      this.plan.append(group);
    });
    if (state) this.drawCounts(state);
  }

  // Totals of hands and worth of wagers at this moment, at the players' edge of their zones.
  drawCounts(state) {
    for (const zone of this.round.zones) {
      const within = state.objects.filter((one) => holds(zone.polygon_mm, one.xy_mm));
      const cards = within.filter((one) => one.kind === "card" || one.kind === "card_back");
      const piles = within.filter((one) => one.kind === "chips");
      const bet = /^seat\d\.(?!cards)/.test(zone.name);
      const text = this.round.totalled.includes(zone.name) && cards.length ? total(cards) : bet && piles.length ? worth(piles, this.round.cents) : "";
      if (!text) continue;
      const x = zone.polygon_mm.reduce((a, [px]) => a + px, 0) / zone.polygon_mm.length;
      const y = Math.max(...zone.polygon_mm.map(([, py]) => py));
      this.plan.append(element("text", { class: "now count", x: -x, y: y - 6, "text-anchor": "middle" }, text));
    }
  }

  cardShapes(object) {
    const red = object.card && "dh".includes(object.card[1]);
    const fill = object.kind === "card" ? "#fdfdfb" : "#5a4fa0";
    return [
      element("rect", { x: -31, y: -44, width: 63, height: 88, rx: 6, fill, stroke: "#555", transform: `rotate(${object.angle_deg ?? 0})` }),
      element("text", { "text-anchor": "middle", y: 10, fill: red ? "#b3121d" : "#16181a" }, label(object)),
    ];
  }

  pileShapes(object) {
    const colours = object.stack ?? ["white"];
    const count = object.stack ? `×${object.stack.length}` : "?";
    return [
      element("circle", { r: 19, fill: CHIP[colours[colours.length - 1]] ?? "#999", stroke: "#fff", "stroke-width": 3, "stroke-dasharray": "8 7" }),
      element("text", { x: 24, y: 10, fill: "#fff" }, count),
    ];
  }
}
