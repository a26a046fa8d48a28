// Uploads with progress: each file is sent by itself, so that one that is refused stops no other.
"use strict";

const drop = document.getElementById("drop");
if (drop) {
  const form = drop.closest("form");
  const AT_ONCE = 2; // one is sent while another is decoded
  const $ = (id) => document.getElementById(id);
  const token = () => form.elements.form_token.value;
  const submit = form.querySelector("button[type=submit]");
  const waiting = [];
  let total = 0, done = 0, files = 0, busy = 0;
  drop.querySelector(".folder").hidden = false;
  drop.classList.add("scripted"); // the inputs are behind buttons, and a list is known by its name
  $("file").closest(".field").hidden = true;

  function words() {
    const there = $("taken").children.length;
    const items = there === 1 ? "1 file is here" : there + " files are here";
    if (busy || waiting.length) return `Uploading: ${files} of ${files + busy + waiting.length} files`;
    if ($("file").files.length) return `The list ${$("file").files[0].name}: you see its columns before anything is made.`;
    return there || $("refusals").children.length ? items + "." : "";
  }

  function show() {
    const working = busy || waiting.length;
    $("uploading").hidden = !working;
    $("upload-bar").value = total ? done / total : 0;
    $("upload-words").textContent = words();
    submit.disabled = Boolean(working);
    if (!working && files) form.dispatchEvent(new Event("input")); // the number of items has changed
  }

  const natural = (one, other) => one.localeCompare(other, undefined, { numeric: true });

  function listed(line) {
    const row = document.createElement("li");
    if (line.refused) {
      row.textContent = line.path + ": " + line.refused;
      $("refusals").append(row);
      return;
    }
    if (line.thumb) {
      const picture = document.createElement("img");
      picture.src = `/admin/uploads/${$("upload").value}/file/${line.thumb}`;
      picture.alt = "";
      row.append(picture);
    }
    const name = document.createElement("span");
    name.textContent = line.path;
    name.dir = "auto";
    row.append(name);
    row.dataset.path = line.path;
    row.dataset.words = line.words; // for the preview: judges do not see names of files
    withRemoval(row);
    const after = [...$("taken").children].find((other) => natural(other.dataset.path, line.path) > 0);
    $("taken").insertBefore(row, after || null); // in the order of names, however they arrive
  }

  function withRemoval(row) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "quiet compact";
    button.textContent = "×";
    button.setAttribute("aria-label", "Take out " + row.dataset.path);
    button.addEventListener("click", async () => {
      const sent = new URLSearchParams({ form_token: token(), path: row.dataset.path });
      await fetch(`/admin/uploads/${$("upload").value}/drop`, { method: "POST", body: sent });
      const next = row.nextElementSibling || row.previousElementSibling;
      row.remove();
      (next ? next.querySelector("button") : $("files")).focus();
      if (!$("taken").children.length) $("upload").value = "";
      show();
    });
    row.append(button);
  }

  let beginning = null;
  async function begun() {
    if ($("upload").value) return;
    beginning = beginning || fetch("/admin/uploads", { method: "POST", body: new URLSearchParams({ form_token: token() }) })
      .then(async (reply) => { if (!reply.ok) throw new Error(); $("upload").value = (await reply.json()).upload; })
      .finally(() => { beginning = null; });
    await beginning;
  }

  async function send({ file, path }) {
    await begun();
    const reply = await fetch(`/admin/uploads/${$("upload").value}?name=${encodeURIComponent(path)}`, {
      method: "POST", body: file, headers: { "X-Form-Token": token(), "Content-Type": "application/octet-stream", Accept: "application/json" },
    });
    if (!reply.ok) {
      const said = await reply.json().catch(() => ({}));
      throw new Error(said.detail || "the server could not take it; try again");
    }
    let rest = "";
    for await (const text of pieces(reply.body)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) { listed(JSON.parse(line)); show(); }
    }
  }

  async function* pieces(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let one = await reader.read(); !one.done; one = await reader.read()) yield one.value;
  }

  async function work() {
    busy += 1;
    while (waiting.length) {
      const next = waiting.shift();
      show();
      try { await send(next); }
      catch (problem) { listed({ path: next.path, refused: problem.message || "no connection; try again" }); }
      files += 1;
      done += next.file.size;
      show();
    }
    busy -= 1;
    show();
  }

  function take(found) {
    const table = found.length === 1 && /\.(csv|tsv|json|jsonl)$/i.test(found[0].path) && $("file");
    if (table) { // a list of items, not an item
      const moved = new DataTransfer();
      moved.items.add(found[0].file);
      $("file").files = moved.files;
      show();
      form.dispatchEvent(new Event("input"));
      return;
    }
    found.sort((one, other) => natural(one.path, other.path));
    const visible = found.filter(({ path }) => !/(^|\/)(\.|Thumbs\.db$|desktop\.ini$|__MACOSX\/)/.test(path));
    if (!busy && !waiting.length) { total = done = files = 0; $("refusals").replaceChildren(); }
    waiting.push(...visible);
    total += visible.reduce((sum, { file }) => sum + file.size, 0);
    while (busy < AT_ONCE && waiting.length > busy) work();
    show();
  }

  for (const input of [$("files"), $("folder")]) {
    input.addEventListener("change", () => {
      const found = [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
      input.value = ""; // they go by themselves, not with the form
      take(found);
    });
  }

  // ---------------------------------------------------------------- dropping files and folders
  async function inside(entry) {
    if (entry.isFile) return [await new Promise((found, failed) => entry.file((file) => found({ file, path: entry.fullPath.slice(1) }), failed))];
    const reader = entry.createReader(), found = [];
    for (;;) {
      const some = await new Promise((read, failed) => reader.readEntries(read, failed));
      if (!some.length) return found;
      for (const one of some) found.push(...await inside(one));
    }
  }
  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    const plain = [...event.dataTransfer.files].map((file) => ({ file, path: file.name }));
    take(entries.length ? (await Promise.all(entries.map(inside))).flat() : plain);
  });

  $("file").addEventListener("change", show);
  for (const row of $("taken").children) withRemoval(row);
  show();
}
