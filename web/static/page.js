// Every page: theme and the list of keys.
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

// On a narrow screen the pages are a list that the menu opens; Escape closes it.
const menu = document.querySelector("[data-menu]");
const pages = document.querySelector("#pages");
function unfold(open) {
  menu.setAttribute("aria-expanded", String(open));
  pages.classList.toggle("open", open);
}
menu?.addEventListener("click", () => {
  unfold(menu.getAttribute("aria-expanded") === "false");
  if (pages.classList.contains("open")) pages.querySelector("a")?.focus();
});
document.querySelector(".bar")?.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !pages?.classList.contains("open")) return;
  unfold(false);
  menu.focus();
});

// What a page said that was passed over on the way here.
for (const text of JSON.parse(sessionStorage.getItem("said") ?? "[]")) {
  const line = document.createElement("div");
  line.className = "flash";
  line.setAttribute("role", "status");
  line.textContent = text;
  document.querySelector("main")?.before(line);
}
sessionStorage.removeItem("said");
