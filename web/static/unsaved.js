// Forms with ``data-unsaved``: what was changed and not saved is said at ``[data-dirty]``, and the page asks before it is left.
// A script that changes a form's contents tells it by an ``input`` event on the form.
export function watchUnsaved(form) {
  let dirty = false;
  const set = (value) => {
    dirty = value;
    for (const sign of form.querySelectorAll("[data-dirty]")) sign.hidden = !value;
  };
  form.addEventListener("input", () => set(true));
  form.addEventListener("submit", () => set(false));
  window.addEventListener("beforeunload", (event) => {
    if (!dirty) return;
    event.preventDefault();
    event.returnValue = "";
  });
}
for (const form of document.querySelectorAll("form[data-unsaved]")) watchUnsaved(form);
