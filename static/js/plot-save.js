/* Beside each drawing two buttons that save it: as SVG, with its colours written in, and as PNG, drawn anew on a canvas,
   since the policy lets no picture come from elsewhere. Both are as on light paper, whatever the page is. */

const PROPERTIES = ["opacity", "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "font-weight", "text-anchor"];
const MARGIN = 12; // around the drawing, in its own units
const SHARP = 3; // pixels of the PNG for each of them

const isShown = (element) => element.getClientRects().length > 0;
const shownIn = (figure) => [...figure.querySelectorAll("svg[viewBox]:not([aria-hidden])")].find(isShown);
const nameOf = (svg) => svg.getAttribute("aria-label") || "plot";
const fileName = (svg) => nameOf(svg).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "plot";

/** What `read` gives while the drawing has the colours of light paper. */
function onPaper(svg, read) {
  svg.style.colorScheme = "light";
  try {
    return read();
  } finally {
    svg.style.colorScheme = "";
  }
}

/** The colour of paper, as the page has it. */
function paper(svg) {
  svg.style.outlineColor = "var(--surface)";
  const colour = getComputedStyle(svg).outlineColor;
  svg.style.outlineColor = "";
  return colour;
}

function leaves(svg) {
  return [...svg.querySelectorAll("rect, line, circle, polyline, polygon, path, text")].filter(isShown);
}

/** The place and size of the drawing with its margin: [x, y, width, height]. */
function frame(svg) {
  const { x, y, width, height } = svg.viewBox.baseVal;
  return [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN];
}

function asSvg(svg) {
  const copy = svg.cloneNode(true);
  const copies = copy.querySelectorAll("*");
  svg.querySelectorAll("*").forEach((element, at) => {
    const style = getComputedStyle(element);
    const size = element.localName === "text" ? ["font-size", "font-family"] : [];
    for (const property of [...PROPERTIES, ...size]) {
      copies[at].setAttribute(property, style.getPropertyValue(property));
    }
    copies[at].removeAttribute("class");
  });
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  const [x, y, width, height] = frame(svg);
  for (const [name, value] of Object.entries({ x, y, width, height, fill: paper(svg) })) ground.setAttribute(name, value);
  copy.prepend(ground);
  for (const link of copy.querySelectorAll("a")) link.setAttribute("href", new URL(link.getAttribute("href"), location));
  for (const name of ["class", "style"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", svg.namespaceURI);
  copy.setAttribute("viewBox", [x, y, width, height].join(" "));
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
}

const number = (element, name) => element[name].baseVal.value;

const shapes = {
  rect: (each, path) => path.rect(number(each, "x"), number(each, "y"), number(each, "width"), number(each, "height")),
  circle: (each, path) => path.arc(number(each, "cx"), number(each, "cy"), number(each, "r"), 0, 2 * Math.PI),
  path: (each, path) => path.addPath(new Path2D(each.getAttribute("d"))),
  line(each, path) {
    path.moveTo(number(each, "x1"), number(each, "y1"));
    path.lineTo(number(each, "x2"), number(each, "y2"));
  },
  polyline: (each, path) => [...each.points].forEach(({ x, y }) => path.lineTo(x, y)),
  polygon(each, path) {
    shapes.polyline(each, path);
    path.closePath();
  },
};

function drawText(pen, element, style) {
  pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  pen.textAlign = { middle: "center", end: "right" }[style.textAnchor] || "left";
  const [x, y, dx, dy] = ["x", "y", "dx", "dy"].map((name) => element[name].baseVal[0]?.value ?? 0);
  pen.fillText(element.textContent.trim(), x + dx, y + dy);
}

function draw(pen, element, within) {
  const style = getComputedStyle(element);
  const { a, b, c, d, e, f } = within.multiply(element.getScreenCTM());
  pen.save();
  pen.transform(a, b, c, d, e, f);
  pen.fillStyle = style.fill;
  pen.strokeStyle = style.stroke;
  pen.lineWidth = parseFloat(style.strokeWidth);
  pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[\s,]+/).map(parseFloat));
  if (element.localName === "text") {
    drawText(pen, element, style);
  } else {
    const path = new Path2D();
    shapes[element.localName](element, path);
    pen.globalAlpha = parseFloat(style.opacity) * parseFloat(style.fillOpacity);
    if (style.fill !== "none" && element.localName !== "line") pen.fill(path);
    pen.globalAlpha = parseFloat(style.opacity);
    if (style.stroke !== "none") pen.stroke(path);
  }
  pen.restore();
}

function asPng(svg) {
  const [x, y, width, height] = frame(svg);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * SHARP);
  canvas.height = Math.round(height * SHARP);
  const pen = canvas.getContext("2d");
  pen.scale(SHARP, SHARP);
  pen.translate(-x, -y);
  pen.fillStyle = paper(svg);
  pen.fillRect(x, y, width, height);
  const within = svg.getScreenCTM().inverse();
  for (const element of leaves(svg)) draw(pen, element, within);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const kinds = { SVG: asSvg, PNG: asPng };

function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function button(figure, kind) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = kind;
  made.setAttribute("aria-label", `${kind}: save ${nameOf(shownIn(figure))}`);
  made.addEventListener("click", async () => {
    const svg = shownIn(figure);
    hand(await onPaper(svg, () => kinds[kind](svg)), `${fileName(svg)}.${kind.toLowerCase()}`);
  });
  return made;
}

export function start() {
  for (const figure of document.querySelectorAll("figure.diagram")) {
    if (!shownIn(figure)) continue;
    const corner = document.createElement("div");
    corner.className = "plot-save";
    corner.append(...Object.keys(kinds).map((kind) => button(figure, kind)));
    figure.querySelector("figcaption").after(corner); // before the links of marks, which can be passed by
  }
}
