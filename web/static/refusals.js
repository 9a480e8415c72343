// What was not stored is said beside the form that asked for it; what one had written there is kept until it is stored.
const place = () => `draft ${document.querySelector("[data-desk]").dataset.user} ${location.pathname}`;

export const isSignIn = (address) => new URL(address, location.href).pathname === "/sign-in";
export const signIn = () => `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;

// Says in red what was expected and what was found, with a way on where there is one.
export function complain(form, text, way) {
  const line = form.querySelector(".problem") ?? document.createElement("p");
  line.className = "problem";
  line.setAttribute("role", "alert");
  line.textContent = text;
  if (way) {
    const link = document.createElement("a");
    [link.href, link.textContent] = [way.href, way.text];
    line.append(" ", link);
  }
  form.append(line);
  const field = form.elements.reading ?? form.elements.procedure;
  field?.setAttribute("aria-invalid", "true");
  field?.addEventListener("input", () => { line.remove(); field.removeAttribute("aria-invalid"); }, { once: true });
  line.querySelector("a")?.focus();
}

export function keepDraft(form) {
  if (!form.matches(".decide")) return;
  const reason = form.querySelector("[name=reason]:checked");
  sessionStorage.setItem(place(), JSON.stringify({ note: form.elements.note.value, reason: reason?.value ?? null }));
}
export function dropDraft() { sessionStorage.removeItem(place()); }
export function restoreDraft() {
  const form = document.querySelector("form.decide");
  const draft = JSON.parse(sessionStorage.getItem(place()) ?? "null");
  if (!form || !draft) return;
  form.elements.note.value = draft.note;
  for (const one of form.querySelectorAll("[name=reason]")) one.checked = one.value === draft.reason;
}
