// The footage library: uploads in parts, and states that follow the work while something waits.
const form = document.querySelector("[data-upload]");
const list = document.querySelector("[data-uploads]");

async function call(address, options, token) {
  const answer = await fetch(address, { ...options, headers: { "X-Catwalk-Token": token, ...(options.headers ?? {}) } });
  const said = await answer.json().catch(() => ({ error: `The server answered ${answer.status}.` }));
  if (!answer.ok || said.error) throw new Error(said.error ?? `The server answered ${answer.status}.`);
  return said;
}

const fields = (values) => {
  const data = new FormData();
  for (const [key, value] of Object.entries(values)) if (value !== "") data.set(key, value);
  return data;
};
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

async function sendPart(address, file, offset, piece, token) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const body = file.slice(offset, offset + piece);
      return (await call(`${address}?from=${offset}`, { method: "PUT", body, headers: { "Content-Type": "application/octet-stream" } }, token)).received;
    } catch (error) {
      if (!(error instanceof TypeError) || attempt === 10) throw error; // only a lost connection is tried again
      await pause(1000 * attempt);
    }
  }
}

async function upload(file, profile, line) {
  const { begin, token } = form.dataset;
  const bar = line.querySelector("progress");
  const told = line.querySelector("[data-told]");
  try {
    const begun = await call(begin, { method: "POST", body: fields({ name: file.name, size: String(file.size) }) }, token);
    const address = `${begin}/${begun.upload}`;
    for (let have = 0; have < file.size;) {
      have = await sendPart(address, file, have, begun.piece, token);
      bar.value = have / file.size;
    }
    told.textContent = "being hashed";
    await call(`${address}/finish`, { method: "POST", body: fields({ profile }) }, token);
    told.textContent = "stored";
    told.className = "good";
    return true;
  } catch (error) {
    told.textContent = error.message;
    told.className = "short";
    return false;
  }
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const profile = form.elements.profile.value;
  const lines = [...form.elements.files.files].map((file) => {
    const line = document.createElement("li");
    line.innerHTML = "<span></span> <progress max='1' value='0'></progress> <span data-told></span>";
    line.firstChild.textContent = file.name;
    line.querySelector("progress").setAttribute("aria-label", `Upload of ${file.name}`);
    list.append(line);
    return [file, line];
  });
  form.querySelector("button").disabled = true;
  let stored = false;
  for (const [file, line] of lines) {
    if (!(await upload(file, profile, line))) continue;
    stored = true;
    line.dataset.stored = "yes";
  }
  form.querySelector("button").disabled = false;
  form.elements.files.value = "";
  if (stored) await refresh();
});

// What somebody is at, or has changed and not sent yet, stays as it is.
document.addEventListener("input", (event) => { event.target.closest("[data-part]")?.setAttribute("data-touched", ""); });
const inUse = (part) => part.contains(document.activeElement) || part.hasAttribute("data-touched");

// Heading, library and folders are of one moment.
async function refresh() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const fresh = [...page.querySelectorAll("[data-part]")];
  if (!fresh.length) { location.reload(); return; } // signed out meanwhile
  for (const part of fresh) {
    const old = document.querySelector(`[data-part="${part.dataset.part}"]`);
    if (old && !inUse(old)) old.replaceWith(part);
  }
  for (const line of list?.querySelectorAll("[data-stored]") ?? []) line.remove(); // it stands in the library now
}
setInterval(() => { if (document.querySelector("[data-waits]")) refresh().catch(() => {}); }, 3000);
