"use strict";
/* Draws the plots of a page with uPlot. Without it, the table beside each plot says the same.

   <figure class="plot" data-plot="intervals" data-source="ID">, <script type="application/json" id="ID">:
   intervals: {"name": "nDCG@10", "rows": [{"name": "bm25", "value": 0.41, "low": 0.38, "high": 0.44}, …]}, low and high optional
   bars:      {"name": "Judgments", "rows": [{"name": "0", "value": 120}, …]} */
(() => {
  const ROW_PX = 26;
  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const font = () => `13px ${style("--font")}`;

  function ruler() {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = font();
    return (name) => pen.measureText(name).width;
  }

  function nameWidth(rows) {
    return 16 + Math.max(...rows.map((row) => row.name).map(ruler()));
  }

  /** The rows with their names cut at the end where they would take more than two fifths of the plot. */
  function fitted(rows, width) {
    const [room, measure] = [Math.min(220, 0.4 * width) - 16, ruler()];
    return rows.map((row) => {
      let { name } = row;
      while (name.length > 2 && measure(name) > room) name = `${name.slice(0, -2)}…`;
      return { ...row, name };
    });
  }

  /** One dot a row with its interval, on uPlot's canvas; rows run downwards. */
  function drawIntervals(rows) {
    return (plot) => {
      const pen = plot.ctx;
      const ratio = devicePixelRatio;
      pen.save();
      pen.strokeStyle = pen.fillStyle = style("--accent");
      pen.lineWidth = 2 * ratio;
      rows.forEach((row, i) => {
        const y = plot.valToPos(i, "x", true);
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
    stroke: style("--muted"),
    font: font(),
    grid: { stroke: style("--line"), width: 1 },
    ticks: { show: false },
    ...more,
  });

  const names = (rows) => ({
    splits: () => rows.map((_, i) => i),
    values: (_, splits) => splits.map((i) => rows[i]?.name ?? ""),
    grid: { show: false },
    stroke: style("--ink"),
  });

  const kinds = {
    intervals: (rows, width) => ({
      width,
      height: rows.length * ROW_PX + 48,
      scales: {
        x: { time: false, ori: 1, dir: -1, range: [-0.6, rows.length - 0.4] },
        y: { ori: 0, dir: 1, range: range(rows, false) },
      },
      axes: [axis({ side: 3, size: nameWidth(rows), ...names(rows) }), axis({ side: 2, size: 32, space: 70 })],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: { draw: [drawIntervals(rows)] },
    }),
    bars: (rows, width) => ({
      width,
      height: Math.min(240, Math.round(0.42 * width)),
      scales: { x: { time: false, range: [-0.6, rows.length - 0.4] }, y: { range: range(rows, true) } },
      axes: [axis({ side: 2, size: 32, ...names(rows) }), axis({ side: 3, size: 60 })],
      series: [{}, { fill: style("--accent"), paths: uPlot.paths.bars({ size: [0.6, 60] }), points: { show: false } }],
    }),
  };

  function draw(figure) {
    const source = document.getElementById(figure.dataset.source);
    const kind = kinds[figure.dataset.plot];
    const { rows } = JSON.parse(source.textContent);
    if (!kind || !rows.length) return;
    figure.hidden = false;
    figure.querySelector(".uplot")?.remove();
    const options = { cursor: { show: false }, legend: { show: false }, ...kind(fitted(rows, figure.clientWidth), figure.clientWidth) };
    const data = [rows.map((_, i) => i), rows.map((row) => row.value)];
    new uPlot(options, data, figure);
    figure.querySelector(".uplot").setAttribute("aria-hidden", "true"); // the table is the text of it
  }

  const drawAll = () => document.querySelectorAll(".plot").forEach(draw);
  let waiting = null;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawAll, 150);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
  drawAll();
})();
