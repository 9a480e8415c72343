// A text that was sent back: the line that is wrong is marked and in sight.
const sent = document.querySelector("textarea[data-line]");
if (sent) {
  const line = Number(sent.dataset.line) || 1;
  const before = sent.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const end = sent.value.indexOf("\n", before);
  sent.focus();
  sent.setSelectionRange(before, sent.dataset.line ? (end < 0 ? sent.value.length : end) : before);
  sent.scrollTop = Math.max(0, line - 4) * parseFloat(getComputedStyle(sent).lineHeight);
  sent.closest("section").scrollIntoView({ block: "nearest" });
}
