// Every page: theme, the list of keys, and moving through the queue by keyboard.
const root = document.documentElement;
root.dataset.theme = localStorage.getItem("theme") ?? "dark";
document.querySelector("[data-theme-switch]")?.addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "light" ? "dark" : "light";
  localStorage.setItem("theme", root.dataset.theme);
});
const help = document.querySelector("dialog#keys");
document.querySelector("[data-keys]")?.addEventListener("click", () => help.showModal());
document.addEventListener("keydown", (event) => {
  if (event.target.matches("textarea, input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?" && help) { event.preventDefault(); if (help.open) help.close(); else help.showModal(); }
});

const rows = [...document.querySelectorAll(".queue tbody tr[data-href]")];
if (rows.length) {
  let at = 0;
  const select = (index) => {
    rows[at].setAttribute("aria-selected", "false");
    at = Math.min(rows.length - 1, Math.max(0, index));
    rows[at].setAttribute("aria-selected", "true");
    rows[at].scrollIntoView({ block: "nearest" });
  };
  const open = () => { location.href = rows[at].dataset.href; };
  rows.forEach((row, index) => row.addEventListener("click", (event) => { if (!event.target.closest("a")) { select(index); open(); } }));
  document.addEventListener("keydown", (event) => {
    if (event.target.matches("textarea, input, select, button") || event.ctrlKey || event.metaKey || event.altKey) return;
    const moves = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: rows.length - 1 };
    if (event.key in moves) { event.preventDefault(); select(moves[event.key]); }
    else if (event.key === "Enter" && !event.target.matches("a")) open();
  });
  select(0);
}
