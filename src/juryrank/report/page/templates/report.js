(function () {
  "use strict";
  var root = document.documentElement;
  var charts = JSON.parse(document.getElementById("charts").textContent);
  var roles = ["paper", "ink", "muted", "grid", "bar", "dot", "accent", "line", "warn"];

  function colours() {
    var style = getComputedStyle(root), found = {};
    roles.forEach(function (role) { found["@" + role] = style.getPropertyValue("--jr-" + role).trim(); });
    found["@wash"] = found["@bar"] + "55";
    return found;
  }
  function filled(value, colour) {
    if (typeof value === "string") { return Object.prototype.hasOwnProperty.call(colour, value) ? colour[value] : value; }
    if (Array.isArray(value)) { return value.map(function (inner) { return filled(inner, colour); }); }
    if (value && typeof value === "object") {
      var copy = {};
      Object.keys(value).forEach(function (key) {
        var data = key === "x" || key === "y" || key === "customdata";  // names, of which one may be "@dot"
        copy[key] = data ? value[key] : filled(value[key], colour);
      });
      return copy;
    }
    return value;
  }
  function draw() {
    if (!window.Plotly) { return; }
    var colour = colours();
    charts.forEach(function (chart, k) {
      var layout = Object.assign({
        paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false,
        font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour["@ink"] },
        margin: { l: 8, r: 16, t: 12, b: 36 }, hoverlabel: { font: { size: 13 } }
      }, filled(chart.layout, colour));
      window.Plotly.react("chart" + k, filled(chart.data, colour), layout, { displayModeBar: false, responsive: true });
    });
  }
  document.getElementById("theme").addEventListener("click", function () {
    var dark = getComputedStyle(root).colorScheme === "dark";
    root.setAttribute("data-theme", dark ? "light" : "dark");
    draw();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  // Plotly travels compressed in the page; the browser unpacks it, offline as well.
  function unpacked(packed) {
    var bytes = Uint8Array.from(atob(packed.textContent), function (letter) { return letter.charCodeAt(0); });
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  }
  var packed = document.getElementById("plotly");
  if (!packed || !charts.length) { draw(); return; }
  unpacked(packed).then(function (source) {
    var script = document.createElement("script");
    script.textContent = source;
    document.head.appendChild(script);
    draw();
  });
})();
