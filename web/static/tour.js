// The tour of the demo: where it stands is kept in this browser, and so is that it was ended.
const tour = document.querySelector("[data-tour]");
const steps = [...tour.querySelectorAll("[data-step]")];
const show = () => {
  const at = Number(localStorage.getItem("tour") ?? 0);
  tour.hidden = !(at >= 0 && at < steps.length);
  steps.forEach((step, i) => { step.hidden = i !== at; });
  tour.querySelector("[data-tour-next]").hidden = at === steps.length - 1;
};
const go = (step) => { localStorage.setItem("tour", String(step)); show(); };
tour.querySelector("[data-tour-next]").addEventListener("click", () => go(Number(localStorage.getItem("tour") ?? 0) + 1));
tour.querySelector("[data-tour-end]").addEventListener("click", () => go(-1));
document.querySelector("[data-tour-begin]")?.addEventListener("click", () => go(0));
show();
