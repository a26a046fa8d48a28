// The judge's link without a connection: instead of the browser's own page, one that says that nothing is lost and
// tries again. It keeps words, never questions; the answer itself waits in the tab (judge.js).
"use strict";

const SECONDS = 4; // between two tries

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function waiting({ words, title, again, language, direction }) {
  const style = `body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto 0; padding: 0 1.25rem; }
    a { display: inline-block; padding: .75rem 0; }`;
  const page = `<!doctype html><html lang="${escaped(language)}" dir="${escaped(direction)}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="${SECONDS}"><title>${escaped(title)}</title><style>${style}</style></head>
    <body><main><h1 dir="auto">${escaped(title)}</h1><p id="says" role="status">${escaped(words)}</p>
    <a href="">${escaped(again)}</a></main></body></html>`;
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy } });
}

async function said() {
  const kept = await caches.match(new URL("offline-words", registration.scope + "/"));
  return kept ? kept.json() : { words: "No connection. Trying again.", title: "juryrank", again: "Try again", language: "en", direction: "ltr" };
}

addEventListener("install", () => skipWaiting());
addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  event.respondWith(fetch(event.request).catch(async () => waiting(await said())));
});
