/* Draws the plots of a page with uPlot. Without it, the table beside each plot says the same.

   <figure class="plot" data-plot="intervals" data-source="ID">, <script type="application/json" id="ID">:
   intervals: {"name": "nDCG@10", "rows": [{"name": "bm25", "value": 0.41, "low": 0.38, "high": 0.44}, …], "limit": 0.7};
              low, high and limit, a dashed line, are optional
   bars:      {"name": "Judgments", "rows": [{"name": "0", "value": 120}, …]}
   "name" is what is measured: it stands at the axis of values. */

const ROW_PX = 26; // a row with its name beside it
const TALL_PX = 44; // and with its name above it, where the plot is narrow
const LABEL_PX = 22;
const style = (name) => getComputedStyle(document.querySelector(".plot")).getPropertyValue(name).trim();
const font = () => `13px ${style("--font")}`;

/** A colour as a canvas takes it: the sheet says one for light and one for dark, and the browser which. */
function colour(name) {
  const plot = document.querySelector(".plot");
  plot.style.outlineColor = `var(${name})`;
  const drawn = getComputedStyle(plot).outlineColor;
  plot.style.outlineColor = "";
  return drawn;
}

function ruler() {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font();
  return (name) => pen.measureText(name).width;
}

function nameWidth(rows) {
  return 16 + Math.max(...rows.map((row) => row.name).map(ruler()));
}

/** What names may take beside the plot: two fifths of it. */
const besides = (width) => Math.min(220, 0.4 * width) - 16;

/** The rows with their names cut at the end where they would take more room than there is. */
function fitted(rows, room) {
  const measure = ruler();
  return rows.map((row) => {
    let { name } = row;
    while (name.length > 2 && measure(name) > room) name = `${name.slice(0, -2)}…`;
    return { ...row, name };
  });
}

function nameAbove(pen, name, left, y) {
  pen.save();
  pen.font = `${13 * devicePixelRatio}px ${style("--font")}`;
  pen.fillStyle = colour("--ink");
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(name, left, y);
  pen.restore();
}

/** A dashed line at a value, from the first row to the last. */
function drawLimit(plot, limit) {
  const [pen, at] = [plot.ctx, plot.valToPos(limit, "y", true)];
  pen.save();
  pen.strokeStyle = colour("--muted");
  pen.lineWidth = 1.5 * devicePixelRatio;
  pen.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  pen.beginPath();
  pen.moveTo(at, plot.bbox.top);
  pen.lineTo(at, plot.bbox.top + plot.bbox.height);
  pen.stroke();
  pen.restore();
}

/** One dot a row with its interval, on uPlot's canvas; rows run downwards. `above`: each with its name over it. */
function drawIntervals(rows, above) {
  return (plot) => {
    const pen = plot.ctx;
    const ratio = devicePixelRatio;
    pen.save();
    pen.strokeStyle = pen.fillStyle = colour("--accent");
    pen.lineWidth = 2 * ratio;
    rows.forEach((row, i) => {
      const middle = plot.valToPos(i, "x", true);
      const y = above ? middle + 10 * ratio : middle;
      if (above) nameAbove(pen, row.name, plot.bbox.left, middle - 9 * ratio);
      const at = (value) => plot.valToPos(value, "y", true);
      pen.beginPath();
      if (row.low != null && row.high != null) {
        for (const end of [row.low, row.high]) {
          pen.moveTo(at(end), y - 4 * ratio);
          pen.lineTo(at(end), y + 4 * ratio);
        }
        pen.moveTo(at(row.low), y);
        pen.lineTo(at(row.high), y);
      }
      pen.stroke();
      pen.beginPath();
      pen.arc(at(row.value), y, 4.5 * ratio, 0, 2 * Math.PI);
      pen.fill();
    });
    pen.restore();
  };
}

function range(rows, fromZero) {
  const values = rows.flatMap((row) => [row.value, row.low ?? row.value, row.high ?? row.value]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low) * 0.06 || 0.05;
  return [fromZero ? Math.min(0, low) : low - room, high + room];
}

const axis = (more) => ({
  stroke: colour("--muted"),
  font: font(),
  grid: { stroke: colour("--line"), width: 1 },
  ticks: { show: false },
  labelFont: font(),
  labelSize: LABEL_PX,
  ...more,
});

const names = (rows) => ({
  splits: () => rows.map((_, i) => i),
  values: (_, splits) => splits.map((i) => rows[i]?.name ?? ""),
  grid: { show: false },
  stroke: colour("--ink"),
});

function intervals({ name, rows, limit }, width) {
  const above = width < 480 && nameWidth(rows) - 16 > besides(width);
  const shown = fitted(rows, above ? width - 24 : besides(width));
  const side = above ? axis({ side: 3, size: 8, ...names([]) }) : axis({ side: 3, size: nameWidth(shown), ...names(shown) });
  return {
    width,
    height: rows.length * (above ? TALL_PX : ROW_PX) + 48 + LABEL_PX,
    scales: {
      x: { time: false, ori: 1, dir: -1, range: [-0.6, rows.length - 0.4] },
      y: { ori: 0, dir: 1, range: range(limit == null ? rows : [...rows, { value: limit }], false) },
    },
    axes: [side, axis({ side: 2, size: 32, space: 70, label: name })],
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: { draw: [(plot) => limit != null && drawLimit(plot, limit), drawIntervals(shown, above)] },
  };
}

function bars({ name, rows }, width) {
  const shown = fitted(rows, besides(width));
  return {
    width,
    height: Math.min(240, Math.round(0.42 * width)) + LABEL_PX,
    scales: { x: { time: false, range: [-0.6, rows.length - 0.4] }, y: { range: range(rows, true) } },
    axes: [axis({ side: 2, size: 32, ...names(shown) }), axis({ side: 3, size: 60, label: name })],
    series: [{}, { fill: colour("--accent"), paths: uPlot.paths.bars({ size: [0.6, 60] }), points: { show: false } }],
  };
}

const kinds = { intervals, bars };

function draw(figure) {
  const source = document.getElementById(figure.dataset.source);
  const kind = kinds[figure.dataset.plot];
  const data = JSON.parse(source.textContent);
  if (!kind || !data.rows.length) return;
  figure.hidden = false;
  figure.querySelector(".uplot")?.remove();
  const options = { cursor: { show: false }, legend: { show: false }, ...kind(data, figure.clientWidth) };
  new uPlot(options, [data.rows.map((_, i) => i), data.rows.map((row) => row.value)], figure);
  figure.querySelector(".uplot").setAttribute("aria-hidden", "true"); // the table is the text of it
}

const drawAll = () => document.querySelectorAll(".plot").forEach(draw);
let timer = null;
window.addEventListener("resize", () => {
  clearTimeout(timer);
  timer = setTimeout(drawAll, 150);
});
for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
  matchMedia(query).addEventListener("change", drawAll);
}
drawAll();
