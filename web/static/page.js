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
