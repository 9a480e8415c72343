// The queue: moving and choosing by keyboard, claims, bulk dismissal, and counts that follow a running batch.
import { keepChoice, keepRow, keptChoice, keptRow } from "./queue_place.js";

const rows = [...document.querySelectorAll(".queue tbody tr[data-href]")];
const form = document.querySelector("form[data-pick]");
const dialog = document.querySelector("#dismiss");
let at = 0;

const boxes = () => [...form.querySelectorAll("input[name=finding]")];
function count() {
  const n = boxes().filter((box) => box.checked).length;
  for (const place of document.querySelectorAll("[data-picked]")) place.textContent = n;
  for (const button of document.querySelectorAll("[data-needs-pick]")) button.disabled = n === 0;
  rows.forEach((row) => row.classList.toggle("chosen", row.querySelector("input[name=finding]")?.checked ?? false));
  const all = document.querySelector("[data-all]");
  if (all) { all.checked = n > 0 && n === rows.length; all.indeterminate = n > 0 && n < rows.length; }
  return n;
}
function select(index) {
  if (!rows.length) return;
  rows[at].setAttribute("aria-selected", "false");
  at = Math.min(rows.length - 1, Math.max(0, index));
  rows[at].setAttribute("aria-selected", "true");
  keepRow(rows[at].dataset.finding, at);
}
// By key the focus goes along, so that what a key does and what is focused are one row.
function go(index) {
  select(index);
  const link = rows[at]?.querySelector(".what a");
  link?.focus({ preventScroll: true });
  rows[at]?.scrollIntoView({ block: "nearest" });
}
function choose(index, on) {
  const box = rows[index]?.querySelector("input[name=finding]");
  if (box) { box.checked = on ?? !box.checked; count(); }
}
function press(key) {
  const button = form.querySelector(`[data-key=${key}]`);
  if (!button) return;
  const chosenHere = count() === 0;
  if (chosenHere) choose(at, true);
  button.click();
  if (chosenHere && dialog?.open) dialog.addEventListener("close", () => choose(at, false), { once: true });
}
const open = () => { if (rows.length) location.href = rows[at].dataset.href; };

rows.forEach((row, index) => row.addEventListener("click", (event) => {
  if (event.target.closest("a, input, label")) return;
  select(index);
  open();
}));
rows.forEach((row, index) => row.addEventListener("focusin", () => select(index)));
form.addEventListener("change", count);
document.querySelector("[data-all]")?.addEventListener("change", (event) => {
  rows.forEach((_, index) => choose(index, event.target.checked));
});
document.querySelector("[data-open-dismiss]")?.addEventListener("click", () => {
  if (count() === 0) dialog.querySelector("input[value=yes]").checked = true;
  dialog.showModal();
  dialog.querySelector("select").focus();
});
// What the dialog requires is asked for only by its own button.
dialog?.querySelector("[data-close]").addEventListener("click", () => dialog.close());
for (const button of form.querySelectorAll(".picked button[formaction]")) button.formNoValidate = true;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const field = event.target;
  if (field.matches("textarea, select, input:not([type=checkbox])")) {
    if (event.key === "Escape") field.blur();
    return;
  }
  const acts = {
    ArrowDown: () => go(at + 1), j: () => go(at + 1), ArrowUp: () => go(at - 1), k: () => go(at - 1),
    Home: () => go(0), End: () => go(rows.length - 1),
    x: () => choose(at), a: () => { const on = count() < rows.length; rows.forEach((_, index) => choose(index, on)); },
    c: () => press("c"), r: () => press("r"), d: () => press("d"), u: () => form.querySelector("[data-key=u]")?.click(),
    "/": () => document.querySelector("input[name=q]").focus(), g: () => { location.href = document.querySelector("[data-fresh]").href; },
  };
  if (event.key in acts) { event.preventDefault(); acts[event.key](); }
  else if (event.key === "Enter" && !field.matches("a, button")) { event.preventDefault(); open(); }
  else if (/^[1-9]$/.test(event.key)) document.querySelectorAll("[data-view]")[Number(event.key) - 1]?.click();
});
// A claim changes no choice: what was chosen stays so.
form.addEventListener("submit", (event) => {
  if (event.submitter?.matches("[data-key=c], [data-key=r]")) keepChoice(boxes().filter((box) => box.checked).map((box) => box.value));
});
const chosen = keptChoice();
for (const box of boxes()) if (chosen.has(box.value)) box.checked = true;
select(keptRow(rows));
if (at) rows[at].scrollIntoView({ block: "nearest" });
count();
const bar = document.querySelector(".picked");
if (bar) new ResizeObserver(() => form.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);

// Counts change in place; new findings are announced and shown when asked for, so that nothing moves under the eye.
const strip = document.querySelector("[data-news]");
async function news() {
  if (document.hidden) return;
  try {
    const answer = await fetch(strip.dataset.news, { headers: { accept: "application/json" } });
    if (!answer.ok) return;
    const now = await answer.json();
    for (const name of ["unreviewed", "mine", "rounds"]) document.querySelector(`[data-count=${name}]`).textContent = now[name].toLocaleString("en-US");
    for (const name of ["violation", "suspect", "undetermined"]) document.querySelector(`[data-count=${name}]`).textContent = (now.verdicts[name] ?? 0).toLocaleString("en-US");
    document.querySelector("[data-progress]").textContent =
      now.progress.map((one) => `${one.table}: ${one.done} of ${one.of} segments`).join(" · ") || "no batch is running";
    const fresh = document.querySelector("[data-fresh]");
    fresh.textContent = now.new ? `show ${now.new} new` : "up to date";
    fresh.classList.toggle("primary", now.new > 0);
  } catch { /* the next look tries again */ }
}
setInterval(news, 4000);
document.addEventListener("visibilitychange", news);
