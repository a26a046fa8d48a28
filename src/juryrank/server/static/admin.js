// The dashboard: live parts, copying links. Works without it too, only not by itself.
"use strict";

// ---------------------------------------------------------------- small helpers on every page
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => { if (!confirm(form.dataset.confirm)) event.preventDefault(); });
}
// Copies, and says so; where the browser forbids it (no https), says that.
async function copied(button, text) {
  const words = button.dataset.words || (button.dataset.words = button.firstChild.textContent);
  let said = "Copied";
  try { await navigator.clipboard.writeText(text); } catch { said = "Mark and copy it"; }
  button.firstChild.textContent = said;
  setTimeout(() => { button.firstChild.textContent = words; }, 1500);
}
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", () => copied(button, button.dataset.copy));
}

for (const button of document.querySelectorAll("[data-copy-from]")) {
  button.addEventListener("click", async () => {
    const reply = await fetch(button.dataset.copyFrom);
    if (reply.ok) copied(button, await reply.text());
  });
}

// ---------------------------------------------------------------- finding and sorting what is listed
for (const finder of document.querySelectorAll("[data-finds]")) {
  const list = document.getElementById(finder.dataset.finds), none = document.getElementById("nothing-found");
  const rows = [...list.children], find = finder.querySelector("input"), sort = finder.querySelector("select");
  const number = { made: true, answers: true };
  finder.hidden = false;
  find.addEventListener("input", () => {
    const wanted = find.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.dataset.name.toLowerCase().includes(wanted);
    if (none) none.hidden = rows.some((row) => !row.hidden);
  });
  if (sort) sort.addEventListener("change", () => {
    const by = sort.value, of = (row) => row.dataset[by] || "";
    rows.sort((a, b) => by === "name" ? of(a).localeCompare(of(b)) : number[by] ? of(b) - of(a) : of(b).localeCompare(of(a)));
    list.append(...rows);
  });
}
// A table sorts by the column whose head is pressed; numbers as numbers, by data-value where a cell has one.
for (const table of document.querySelectorAll("table[data-sorts]")) {
  const body = table.tBodies[0];
  const value = (row, k) => row.cells[k].dataset.value ?? row.cells[k].textContent.trim();
  const compare = (a, b) => (a !== "" && b !== "" && !isNaN(a) && !isNaN(b)) ? a - b : a.localeCompare(b);
  for (const [k, head] of [...table.tHead.rows[0].cells].entries()) {
    if (head.dataset.sort === undefined) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sorter";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === (head.dataset.sort === "down" ? null : "ascending")
        || (head.dataset.sort === "down" && head.getAttribute("aria-sort") !== "descending");
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(value(a, k), value(b, k))));
    });
  }
}

// ---------------------------------------------------------------- marks: a grade's beginning is dragged
const scale = document.getElementById("scale");
if (scale) {
  const show = () => {
    const grades = [...scale.querySelectorAll(".grade-row")].map((row) => {
      const [name, cut] = row.querySelectorAll("input");
      row.querySelector("output").textContent = Math.round(cut.value);
      return { name: name.value.trim(), cut: Number(cut.value) };
    }).filter((one) => one.name);
    for (const row of document.querySelectorAll("#marks tbody tr")) {
      const grade = grades.find((one) => Number(row.dataset.mark) >= one.cut);
      row.querySelector(".grade").textContent = grade ? grade.name : "";
    }
  };
  scale.addEventListener("input", show);
}

// ---------------------------------------------------------------- moments: stored in UTC, typed in the reader's own time
for (const field of document.querySelectorAll("input[data-utc]")) {
  const local = (moment) => new Date(moment - moment.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
  if (field.value) field.value = local(new Date(field.value + "Z"));
  field.labels[0].querySelector("[data-zone]").textContent = "your time";
  field.form.addEventListener("formdata", ({ formData }) => {
    if (field.value) formData.set(field.name, new Date(field.value).toISOString().slice(0, 16));
  });
}

// ---------------------------------------------------------------- links of new judges
const links = document.getElementById("links");
if (links) {
  const quoted = (text) => '"' + (/^[=+\-@\t\r\n]/.test(text) ? "'" : "") + text.replaceAll('"', '""') + '"';
  const table = () => ["judge,email,link", ...[...links.children].map(({ dataset: one }) =>
    [one.name, one.address, one.link].map(quoted).join(","))].join("\r\n");
  document.getElementById("links-csv").addEventListener("click", (event) => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([table() + "\r\n"], { type: "text/csv" }));
    a.download = event.currentTarget.dataset.name;
    a.click();
    URL.revokeObjectURL(a.href);
  });
  document.getElementById("links-copy").addEventListener("click", (event) => copied(event.currentTarget, table()));
}

// ---------------------------------------------------------------- renewing a part of the page
// Changes what differs and nothing else, so that focus, selection, scrolling and what is open stay with the reader.
const READERS = { DETAILS: ["open"], INPUT: ["value", "checked"], OPTION: ["selected"], DIALOG: ["open"] }; // theirs, not ours
const words_of = (node) => node.nodeName === "text" ? node.textContent : // of a chart
  node.nodeName === "DETAILS" && node.firstElementChild ? node.firstElementChild.textContent : "";
const key_of = (node) => node.nodeType !== 1 ? "" : node.dataset.key || // a row's: whose it is
  node.id || node.getAttribute("aria-labelledby") || node.getAttribute("aria-label") || words_of(node);
const called = (node) => node.nodeName + "|" + key_of(node);

function renew(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== 1) { renewText(old, fresh.nodeValue); return; }
  const kept = READERS[old.nodeName] || [];
  for (const { name } of [...old.attributes]) if (!kept.includes(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (!kept.includes(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  const coming = [...fresh.childNodes];
  let here = old.firstChild;
  for (const [place, next] of coming.entries()) {
    let match = here;
    while (match && called(match) !== called(next)) match = match.nextSibling;
    if (match && match !== here && key_of(next)) { old.insertBefore(match, here); renew(match, next); continue; } // it moved
    const wanted = () => coming.slice(place + 1).some((later) => called(later) === called(here));
    if (!match || (match !== here && wanted())) { old.insertBefore(document.importNode(next, true), here); continue; }
    while (here !== match) { const gone = here; here = here.nextSibling; gone.remove(); }
    renew(here, next);
    here = here.nextSibling;
  }
  while (here) { const gone = here; here = here.nextSibling; gone.remove(); }
}

// A node that moves loses focus and selection: they are given back to where they were.
function holding(change) {
  const marked = getSelection(), { anchorNode, anchorOffset, focusNode, focusOffset } = marked;
  const focus = document.activeElement;
  change();
  if (focus !== document.activeElement && focus.isConnected) focus.focus({ preventScroll: true });
  const moved = marked.anchorNode !== anchorNode || marked.focusNode !== focusNode;
  if (moved && anchorNode && focusNode && anchorNode.isConnected && focusNode.isConnected) {
    const within = (node, offset) => Math.min(offset, node.nodeType === 1 ? node.childNodes.length : node.length);
    marked.setBaseAndExtent(anchorNode, within(anchorNode, anchorOffset), focusNode, within(focusNode, focusOffset));
  }
}

// A selection that begins or ends in a text that changes keeps its place there.
function renewText(node, value) {
  const marked = getSelection(), { anchorNode, anchorOffset, focusNode, focusOffset } = marked;
  node.nodeValue = value;
  const held = (end, offset) => (end === node ? Math.min(offset, value.length) : offset);
  if (anchorNode === node || focusNode === node) {
    marked.setBaseAndExtent(anchorNode, held(anchorNode, anchorOffset), focusNode, held(focusNode, focusOffset));
  }
}

// ---------------------------------------------------------------- the live result
const live = document.getElementById("live");
if (live) {
  const base = live.dataset.base;
  const state = document.getElementById("live-state");
  let seen = -1, shown = -1, busy = false, again = false;

  async function refresh() {
    if (busy) { again = true; return; }
    busy = true;
    try {
      const part = await fetch(base + "/part");
      if (part.redirected) { location.reload(); return; }
      if (part.ok) shown = swap(await part.text());
    } catch { /* the stream says when the server is back */ }
    busy = false;
    // a busy server may have given a picture that is a moment old: fetch once more
    if (again || shown < seen) { again = false; setTimeout(refresh, 1000); }
  }

  function report(words, on) {
    if (state.textContent !== words) state.textContent = words; // said once, not with every change
    state.classList.toggle("on", on);
  }

  function swap(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    holding(() => { for (const fresh of page.querySelectorAll("[data-live]")) { const here = document.getElementById(fresh.id); if (here) renew(here, fresh); } });
    return Number(page.getElementById("live-top").dataset.seq);
  }

  const stream = new EventSource(base + "/events");
  stream.addEventListener("change", (event) => {
    const news = JSON.parse(event.data);
    report("Live", true);
    if (news.seq !== seen) { seen = news.seq; refresh(); }
  });
  stream.addEventListener("gone", () => { stream.close(); report("This study was deleted.", false); });
  stream.onerror = () => report("Connection lost. Trying again.", false);
  addEventListener("load", refresh);
}

// ---------------------------------------------------------------- the board: looks again now and then
const board = document.getElementById("board");
if (board) {
  setInterval(async () => {
    try {
      const reply = await fetch(location.pathname);
      if (reply.redirected || !reply.ok) return;
      const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("board");
      if (fresh) holding(() => renew(board, fresh));
    } catch { /* the server is away for a moment: the board stays as it is */ }
  }, 3000);
  const full = document.getElementById("full-screen");
  if (full && document.documentElement.requestFullscreen) {
    full.hidden = false;
    full.addEventListener("click", () => document.documentElement.requestFullscreen());
  }
}

// ---------------------------------------------------------------- advice while a study is being made
const advice = document.getElementById("advice");
if (advice) {
  const form = advice.closest("form");
  const count = (name) => form.elements[name].value.split("\n").filter((line) => line.trim()).length;
  const items = () => { // as the server counts them: lines, blocks between lines of three dashes, or files
    if (!form.elements.items) return 0;
    const text = form.elements.items.value, files = document.querySelectorAll("#taken > li").length;
    const blocks = text.split(/^[ \t]*---[ \t]*$/m);
    return files || (blocks.length > 1 ? blocks.filter((block) => block.trim()).length : count("items"));
  };
  const judges = () => form.elements.reach.value === "named" ? count("judges") : Number(form.elements.expected.value) || 0;
  // As the server counts them: signs of scripts without spaces by twos.
  const words = () => ((form.elements.items && form.elements.items.value.match(
    /[\u3040-\u30ff\u3400-\u9fff]{1,2}|[^\s\u3040-\u30ff\u3400-\u9fff]+/g)) || []).length;
  let timer = 0, asked = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    const turn = ++asked; // an answer to what the form said before is not shown
    timer = setTimeout(async () => {
      const query = new URLSearchParams({
        items: items(), judges: judges(), error: form.elements.error.value, sitting: form.elements.sitting.value || 10,
        about: form.elements.about.value, goal: form.elements.goal.value,
        words: words(), minutes: form.elements.minutes.value || 0,
      });
      for (const quick of ["yes", ""]) { // what is known at once, then the forecast, which the server gives up in time
        try {
          const reply = await fetch("/admin/advice?" + query + "&quick=" + quick, { signal: AbortSignal.timeout(15000) });
          const said = reply.ok ? (await reply.json()).advice : "";
          if (turn !== asked) return;
          advice.textContent = said;
          advice.hidden = !said;
        } catch { return; } // no connection, or a server that is busy: what is known stands
      }
    }, 400);
  });
}

// ---------------------------------------------------------------- what a judge will see, while a study is being made
const preview = document.getElementById("preview");
if (preview) {
  const form = document.querySelector(".with-preview form"), part = (name) => document.getElementById("preview-" + name);
  const SHOWN = 220; // characters of a text
  const pasted = () => {
    const text = form.elements.items ? form.elements.items.value : "";
    const blocks = text.split(/^[ \t]*---[ \t]*$/m);
    return (blocks.length > 1 ? blocks : text.split("\n")).map((one) => one.trim()).filter(Boolean);
  };
  const uploaded = () => [...document.querySelectorAll("#taken > li")].map((row) =>
    row.querySelector("img") ? row.querySelector("img").cloneNode() : row.dataset.words);
  const put = (place, thing, otherwise) => {
    const box = part(place);
    box.classList.toggle("soft", thing === undefined);
    if (thing instanceof Node) box.replaceChildren(thing);
    else box.textContent = thing === undefined ? otherwise : thing.length > SHOWN ? thing.slice(0, SHOWN) + "…" : thing;
  };
  const draw = () => {
    const files = uploaded(), things = files.length ? files : pasted();
    part("question").textContent = form.elements.question.value;
    put("first", things[0], "your first item");
    put("second", things[1], "your second item");
    part("others").textContent = (form.elements.ties.checked ? "Too close to call · " : "") + "Skip · Undo";
    part("count").textContent = things.length ? `${things.length} ${things.length === 1 ? "item" : "items"}` : "";
  };
  form.addEventListener("input", draw);
  preview.hidden = false;
  draw();
}
