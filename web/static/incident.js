// The incident report: keys, and looking again while a copy is being made.
const press = (selector) => document.querySelector(selector)?.click();
const KEYS = { s: "[data-save]", d: "[data-pdf]", e: "[data-pack]", q: "[data-back]" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
  if (event.target.matches("textarea, select, input")) { if (event.key === "Escape") event.target.blur(); return; }
  if (KEYS[event.key]) { event.preventDefault(); press(KEYS[event.key]); }
});

const waiting = () => document.querySelectorAll("[data-status=waiting]");
const list = document.querySelector("[data-copies]");
async function look() {
  const answer = await fetch(list.dataset.copies);
  if (!answer.ok) return;
  const status = Object.fromEntries((await answer.json()).copies.map((one) => [one.id, one.status]));
  if ([...waiting()].some((line) => status[line.dataset.copy] !== "waiting")) await refresh();
}
// The list of copies alone is read anew, so that nothing that was written meanwhile is lost.
async function refresh() {
  const text = await (await fetch(location.href)).text();
  const copies = new DOMParser().parseFromString(text, "text/html").querySelector("[data-copies] .copies");
  if (copies) list.querySelector(".copies").replaceWith(copies);
}
if (list) setInterval(() => { if (waiting().length) look(); }, 1500);
// A PDF is a copy: after it has come the list of copies is longer by one.
document.querySelector("[data-pdf]")?.form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const answer = await fetch(event.target.action, { method: "POST", body: new FormData(event.target) });
  if (!answer.ok) { location.reload(); return; }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition"))?.[1] ?? "incident.pdf";
  link.click();
  await refresh();
});
