// Where one is in the queue, kept in this tab: a finding by its number, and the part of the queue that was shown.
const PLACE = "queue place", CHOSEN = "queue chosen";
const asked = (search, without = []) => [...new URLSearchParams(search)].filter(([name, value]) => value && !without.includes(name)).sort().join("&");
const stored = () => JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
const store = (place) => sessionStorage.setItem(PLACE, JSON.stringify(place));

export function keepRow(finding, index) { store({ finding, index, search: location.search }); }

// The row to begin with: that of the finding, else, in the same part of the queue, the one that took its place.
export function keptRow(rows) {
  const place = stored();
  if (!place) return 0;
  const found = rows.findIndex((row) => row.dataset.finding === place.finding);
  if (found >= 0) return found;
  return asked(place.search) === asked(location.search) ? Math.min(place.index, rows.length - 1) : 0;
}

// From a finding: the queue shall be left at it, and entered again where it was left.
export function keepFinding(finding, link) {
  const place = stored();
  if (finding && place) store({ ...place, finding });
  if (place && link && asked(place.search, ["from"]) === asked(link.search)) link.search = place.search;
}

export function keepChoice(ids) { sessionStorage.setItem(CHOSEN, JSON.stringify(ids)); }
export function keptChoice() {
  const ids = new Set(JSON.parse(sessionStorage.getItem(CHOSEN) ?? "[]"));
  sessionStorage.removeItem(CHOSEN);
  return ids;
}
