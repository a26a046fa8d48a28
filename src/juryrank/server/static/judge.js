// The judge page. One card at a time; every answer names its question, so sending it twice is harmless.
"use strict";

const SETTLE_MS = 300;        // a new question takes no answer before: the second half of a double click
const POLL_MS = [2000, 15000]; // how often to look for a question when there is none
const RETRY_MS = [1000, 10000]; // how often to try again without a connection

const PARTS = ["case", "left", "right"]; // what can be read: the input of a case, and both sides

const $ = (id) => document.getElementById(id);
const deck = $("deck");
const base = deck.dataset.base;
const KEEP = "juryrank:" + base; // an unsent answer survives a reload

const words = JSON.parse(deck.dataset.words); // what this page says by itself, in the judge's language
let card = JSON.parse(deck.dataset.card);
let shownAt = performance.now();
let busy = false;
let timer = 0;
let poll = POLL_MS[0];

// ---------------------------------------------------------------- showing
function show(next, says) {
  if (next.state === "intro") { location.reload(); return; } // resumed before it ever began: the page with Start
  const had = deck.contains(document.activeElement);
  const changed = !card.question || !next.question || card.question.id !== next.question.id;
  card = next;
  $("ask").hidden = !card.question;
  $("ending").hidden = Boolean(card.question);
  if (card.question) showQuestion(changed);
  else showEnding();
  $("progress").hidden = !card.question;
  $("progress-words").textContent = card.progress_words;
  $("progress-bar").hidden = card.planned === null;
  $("progress-bar").value = card.percent;
  say(says || card.says, false);
  if (changed && had) (card.question ? $("wording") : $("ending-title")).focus({ preventScroll: true });
  wakeLater();
}

function showQuestion(changed) {
  $("question-id").value = card.question.id;
  if (changed) {
    for (const part of PARTS) {
      $(part + "-content").innerHTML = part === "case" ? card.question.case : card.question[part].html; // made safe by the server
      $(part + "-content").scrollTop = 0;
    }
    $("case").hidden = !card.question.case;
    if ($("comment")) $("comment").value = "";
    if ($("reader").open) $("reader").close();
    shownAt = performance.now();
    window.scrollTo({ top: 0 });
  }
  unmark();
  $("tie").hidden = !card.ties;
  $("undo").disabled = !card.undo;
  poll = POLL_MS[0];
  offerEnlarging();
  ready(changed);
}

function unmark() {
  for (const side of ["left", "right"]) $(side).classList.remove("chosen");
}

function showEnding() {
  $("ending-title").textContent = card.heading;
  $("ending-words").textContent = card.words;
  $("ending-count").textContent = card.count_words;
  $("ending-undo").hidden = !card.undo;
  $("ending-more").hidden = !card.more;
  $("ending-next").hidden = card.state !== "ready";
  if ($("ending-about")) $("ending-about").hidden = !card.about;
  $("ending-finish").hidden = !card.finish;
  $("finish").href = card.finish;
  $("finish").textContent = card.finish_words;
  $("ending-code").hidden = !card.code;
  $("code").textContent = card.code;
  $("code-words").textContent = card.code_words;
  $("sign").setAttribute("d", card.sign);
  deck.dataset.ready = "";
}

function ready(wait) {
  deck.dataset.ready = "";
  setTimeout(() => { if (!busy && card.question) deck.dataset.ready = card.question.id; }, wait ? SETTLE_MS : 0);
}

function say(words, alarm) {
  $("says").textContent = words || "";
  $("says").classList.toggle("alert", Boolean(alarm));
}

// ---------------------------------------------------------------- talking to the server
async function call(path, body) {
  const response = await fetch(base + path, {
    method: body ? "POST" : "GET",
    headers: { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
    cache: "no-store",
    signal: AbortSignal.timeout(15000),
  });
  const reply = await response.json().catch(() => null); // not ours: the page of a hotel or of a gateway
  if (response.ok && reply) return reply;
  const problem = new Error(reply && reply.detail || words.failed);
  problem.status = reply && response.status; // of whoever is not ours there is none: as without a connection
  problem.wait = Number(response.headers.get("Retry-After")) * 1000;
  throw problem;
}

const passing = (problem) => !problem.status || problem.status === 429 || problem.status >= 500;

async function send(path, body) {
  if (busy) return;
  busy = true;
  deck.dataset.ready = "";
  deck.classList.add("busy");
  keep({ path, body });
  let next = null, said = "";
  for (let wait = RETRY_MS[0]; !next; wait = Math.min(2 * wait, RETRY_MS[1])) {
    try {
      next = await call(path, body);
    } catch (problem) {
      if (!passing(problem)) { said = problem.message; break; }
      say(problem.status ? problem.message : words.kept, true);
      await pause(problem.wait || wait);
    }
  }
  keep(null);
  busy = false;
  deck.classList.remove("busy");
  if (next) show(next);
  else { unmark(); say(said, true); ready(false); await refresh(said); }
}

function pause(ms) {
  return new Promise((done) => {
    const stop = () => { clearTimeout(clock); removeEventListener("online", stop); done(); };
    const clock = setTimeout(stop, ms);
    addEventListener("online", stop);
  });
}

function keep(pending) {
  try {
    if (pending) sessionStorage.setItem(KEEP, JSON.stringify(pending));
    else sessionStorage.removeItem(KEEP);
  } catch { /* no storage: the answer lives as long as this page */ }
  sayOffline(pending ? words.kept : words.offline);
}

// What a reload without a connection shows (offline.js): browsers allow it on https and on this machine only.
async function sayOffline(said) {
  if (!navigator.serviceWorker || !window.caches || base.startsWith("/admin")) return;
  const { lang: language, dir } = document.documentElement;
  const note = { words: said, title: document.title, again: words.again, language, direction: dir || "ltr" };
  try {
    await (await caches.open("juryrank-offline")).put(base + "/offline-words", new Response(JSON.stringify(note)));
    await navigator.serviceWorker.register("/static/offline.js", { scope: base });
  } catch { /* the browser shows its own page; the answer is kept all the same */ }
}

function kept() {
  try { return JSON.parse(sessionStorage.getItem(KEEP)); } catch { return null; }
}

async function refresh(says) {
  if (busy) return;
  try {
    let next = await call("/next");
    if (next.state === "ready" && document.visibilityState === "visible") next = await call("/next", {});
    show(next, says);
  } catch (problem) {
    if (!passing(problem)) { say(problem.message, true); return; }
    say(words.offline, true);
    wakeLater();
  }
}

function wakeLater() {
  clearTimeout(timer);
  if (card.question || card.state === "gone" || card.more) return;
  timer = setTimeout(() => refresh(), poll * (0.8 + 0.4 * Math.random()));
  poll = Math.min(1.5 * poll, POLL_MS[1]);
}

// ---------------------------------------------------------------- the judge's hands
function choose(answer) {
  if (!card.question || busy || deck.dataset.ready !== card.question.id) return;
  if (answer === "left" || answer === "right") $(answer).classList.add("chosen");
  const seconds = Math.round(performance.now() - shownAt) / 1000;
  const comment = $("comment") && $("comment").value.trim();
  send("/answer", { question: card.question.id, answer, response_time: seconds, ...(comment && { comment }) });
}

function undo() {
  if (card.undo && !busy) send("/undo", { question: card.undo });
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter && event.submitter.id === "undo") undo();
  else if (event.submitter) choose(event.submitter.value);
});
$("ending-next").addEventListener("submit", (event) => { event.preventDefault(); send("/next", {}); });
$("ending-more").addEventListener("submit", (event) => { event.preventDefault(); send("/more", {}); });
$("ending-undo").addEventListener("submit", (event) => { event.preventDefault(); undo(); });

$("copy-code").addEventListener("click", async () => {
  try { await navigator.clipboard.writeText($("code").textContent); say(words.copied, false); }
  catch { getSelection().selectAllChildren($("code")); } // no permission: it is marked, to be copied by hand
});

// Reading is not choosing: a tap on a picture, or on the sign in the corner, shows the item alone and large, with
// the choice below it. A short text needs no reading: its whole card chooses.
const stacked = matchMedia("(max-width: 560px)"); // as in the stylesheet: one above the other
const called = (side) => words[stacked.matches ? { left: "first", right: "second" }[side] || side : side];
let reading = "";
function enlarge(side) {
  reading = side;
  $("reader-title").textContent = called(side);
  $("reader-hands").hidden = side === "case";
  $("reader").classList.toggle("of-picture", Boolean($(side + "-content").querySelector(":scope > img")));
  $("reader-page").innerHTML = $(side + "-content").innerHTML;
  $("reader-page").classList.remove("zoomed");
  if (!$("reader").open) $("reader").showModal();
  $("reader-page").scrollTop = 0;
}

function offerEnlarging() {
  for (const side of PARTS) {
    const box = $(side + "-content");
    const more = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
    $("enlarge-" + side).hidden = !(more || box.querySelector("img"));
    const brief = !more && box.querySelector(".words:not(.long), .prose.short") && !box.querySelector("a, img, audio, video");
    if (side !== "case") $(side).classList.toggle("brief", Boolean(brief));
  }
}

for (const side of ["left", "right"]) {
  $(side).addEventListener("click", (event) => {
    if (!$(side).classList.contains("brief") || event.target.closest("button") || !getSelection().isCollapsed) return;
    choose(side);
  });
}

for (const side of PARTS) {
  $("enlarge-" + side).addEventListener("click", () => enlarge(side));
  $(side + "-content").addEventListener("click", (event) => { if (event.target.closest("img") && !event.target.closest("a")) enlarge(side); });
  $(side + "-content").addEventListener("load", offerEnlarging, true);
}
// What an address leads to may be gone: the owner of the study is told.
const reported = new Set();
function unloaded(media) {
  const address = media.getAttribute && media.getAttribute("src");
  const side = media.closest && media.closest(".option");
  if (!address || !side || !card.question) return;
  if (media.nextElementSibling === null) {
    const gone = document.createElement("p");
    gone.classList.add("words", "soft");
    gone.textContent = words.unloaded;
    media.after(gone);
  }
  if (reported.has(address)) return;
  reported.add(address);
  call("/dead", { address }).catch(() => {});
}
deck.addEventListener("error", (event) => unloaded(event.target), true);
for (const media of deck.querySelectorAll(".option img, .option audio, .option video")) { // before this script ran
  if (media.error || (media.complete && media.naturalWidth === 0)) unloaded(media);
}

$("reader-other").addEventListener("click", () => enlarge(reading === "left" ? "right" : "left"));
$("reader-choose").addEventListener("click", () => { $("reader").close(); choose(reading); });
$("reader-close").addEventListener("click", () => $("reader").close());
$("reader-page").addEventListener("click", (event) => { if (event.target.closest("img")) $("reader-page").classList.toggle("zoomed"); });
addEventListener("resize", offerEnlarging);

addEventListener("keydown", (event) => {
  if (event.repeat || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("audio, video, input, textarea, select")) return;
  if (!card.question || $("reader").open) return;
  const answer = { ArrowLeft: "left", ArrowRight: "right", t: "tie", s: "skip" }[event.key];
  if (answer === "tie" && !card.ties) return;
  if (answer) { event.preventDefault(); choose(answer); }
  else if (event.key === "u") undo();
});

// Back button, another tab, a sleeping phone: look at what the server knows.
addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && !busy) { poll = POLL_MS[0]; refresh(); }
});
addEventListener("online", () => { if (!busy) refresh(); });

const unsent = kept();
if (card.question) offerEnlarging();
if (unsent) {
  const same = card.question && unsent.body.question === card.question.id;
  if (same && PARTS.includes(unsent.body.answer)) $(unsent.body.answer).classList.add("chosen");
  say(words.kept, true);
  send(unsent.path, unsent.body);
} else {
  sayOffline(words.offline);
  if (card.question) ready(true);
  else wakeLater();
}
