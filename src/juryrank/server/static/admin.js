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
  const table = () => ["judge,email,link", ...[...links.tBodies[0].rows].map((row) =>
    [row.cells[0].textContent, row.cells[1].textContent, row.querySelector("code").textContent].map(quoted).join(","))].join("\r\n");
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
    holding(() => { for (const fresh of page.querySelectorAll("[data-live]")) renew(document.getElementById(fresh.id), fresh); });
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
        ranker: form.elements.ranker.value, objective: form.elements.objective.value,
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
