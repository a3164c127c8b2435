#include "report/page_parts.hpp"

namespace shrimp::report {

// Each figure has its places and what is told there in `data-chart` (report/figure.cpp). The pointer or the arrow keys
// choose one; a mark in the drawing shows it, and the line below tells it, to screen readers, too.
const char* const page_script = R"js(
"use strict";
for (const figure of document.querySelectorAll("figure[data-chart]")) {
  const chart = JSON.parse(figure.dataset.chart);
  const svg = figure.querySelector("svg"), output = figure.querySelector("output");
  const isMap = "z" in chart;
  const count = isMap ? chart.z.length : chart.px.length;
  if (count === 0) continue;
  const columns = isMap ? chart.x.length : count;
  const [left, top, width, height] = chart.frame ?? [0, 0, 0, 0];
  const mark = svg.appendChild(document.createElementNS(svg.namespaceURI, isMap ? "rect" : "circle"));
  mark.setAttribute("class", "mark");
  let chosen = -1;

  const valuesAt = k => isMap
    ? [(chart.xNames ?? chart.x)[k % columns], (chart.yNames ?? chart.y)[Math.floor(k / columns)], Number((chart.z[k] * chart.unit).toPrecision(3))]
    : chart.columns.map((column, n) => n === 0 && chart.names ? chart.names[k] : column[k]);
  const say = k => {
    const values = valuesAt(k).map(value => typeof value === "number" ? String(value).replaceAll("-", "−") : value);
    return chart.says.replace(/\{\{|\{(\d+)\}/g, (whole, place) => place === undefined ? "{" : values[place]);
  };
  const put = attributes => { for (const name in attributes) mark.setAttribute(name, attributes[name]); };
  const choose = k => {
    chosen = k;
    figure.classList.toggle("chosen", k >= 0);
    if (k < 0) { output.textContent = ""; return; }
    output.textContent = say(k);
    if (isMap) {
      const w = width / columns, h = height / chart.y.length;
      put({x: left + (k % columns) * w, y: top + height - (Math.floor(k / columns) + 1) * h, width: w, height: h});
    } else {
      put({cx: chart.px[k], cy: chart.py[k], r: 4.5});
    }
  };
  const nearest = (x, y) => {
    if (isMap) {
      const i = Math.floor((x - left) / width * columns), rows = chart.y.length;
      const j = Math.floor((top + height - y) / height * rows);
      return i >= 0 && i < columns && j >= 0 && j < rows ? i + j * columns : -1;
    }
    let best = -1, least = Infinity;
    for (let k = 0; k < count; ++k) {
      const distance = Math.hypot(chart.px[k] - x, chart.alongX ? 0 : chart.py[k] - y);
      if (distance < least) { least = distance; best = k; }
    }
    return best;
  };

  svg.addEventListener("pointermove", event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    choose(nearest(at.x, at.y));
  });
  svg.addEventListener("pointerleave", () => choose(-1));
  figure.addEventListener("blur", () => choose(-1));
  figure.addEventListener("keydown", event => {
    const across = {ArrowLeft: -1, ArrowRight: 1}[event.key] ?? 0;
    const up = isMap ? {ArrowDown: -1, ArrowUp: 1}[event.key] ?? 0 : 0;
    if (event.key === "Escape") { choose(-1); return; }
    const end = {Home: 0, End: count - 1}[event.key];
    if (!across && !up && end === undefined) return;
    event.preventDefault();
    if (end !== undefined) { choose(end); return; }
    if (chosen < 0) { choose(isMap ? Math.floor(chart.y.length / 2) * columns + Math.floor(columns / 2) : 0); return; }
    const column = Math.min(columns - 1, Math.max(0, chosen % columns + across));
    const row = Math.floor(chosen / columns) + up;
    choose(column + Math.min(count / columns - 1, Math.max(0, row)) * columns);
  });
}
)js";

}  // namespace shrimp::report
