// Saying which error was seen and not reported: the procedure is looked for by number and words, the time is the player's.
import { seconds } from "./moments.js";

let listed = null; // the options of the procedures, fetched once

export class Seen {
  constructor(form, { video, here }) {
    Object.assign(this, { form, video, here });
    if (!form) return;
    form.parentElement.addEventListener("toggle", () => this.turn());
    for (const button of form.querySelectorAll("[data-here]")) button.addEventListener("click", () => this.put(button.dataset.here));
    form.elements.from.addEventListener("change", () => { if (!form.elements.to.value) form.elements.to.value = form.elements.from.value; });
  }

  put(name) { this.form.elements[name].value = seconds(this.here(), 1); }

  // Open the form at the moment that is shown; a second time closes it.
  start() {
    if (!this.form) return;
    const box = this.form.parentElement;
    box.open = !box.open;
    if (!box.open) return;
    const side = box.closest(".side");
    side.scrollTop = box.offsetTop - side.offsetTop;
    this.form.elements.procedure.focus({ preventScroll: true });
  }

  async turn() {
    if (!this.form.parentElement.open) return;
    this.video.pause();
    for (const name of ["from", "to"]) if (!this.form.elements[name].value) this.put(name);
    listed ??= await fetch(this.form.dataset.procedures).then((answer) => answer.json());
    const list = this.form.querySelector("datalist");
    if (!list.children.length) list.append(...listed.procedures.map((one) => new Option("", `${one.id} ${one.title}`)));
  }
}
