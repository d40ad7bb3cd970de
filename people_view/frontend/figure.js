// Moving a drawn figure of Plotly's: its lines, points, bars, shapes and names go to where a state has them. Plotly itself
// would take five frames for it; here only places are written, on the axes that it has laid out.

import { shape } from "./elements.js";

const pen = document.createElement("canvas").getContext("2d");
const FAINT = 0.1; // of points that are there to be clicked: they stay where they are
const NEAR = 0.4; // pixels between two points of a line, of which the second is left out

export function moveFigure(drawn, to, moved) {
  const was = moved.figures.get(drawn) ?? {}, { axes = {} } = to;
  moved.figures.set(drawn, to);
  const plot = { drawn, moved, layout: drawn._fullLayout, axes };
  const isNew = (kind, k) => JSON.stringify(to[kind]?.[k]) !== JSON.stringify(was[kind]?.[k]);
  const all = Object.keys(axes).some((name) => isNew("axes", name)); // on other axes nothing stays where it is
  const traces = drawn._fullData, columns = to.traces ?? {};
  traces.forEach((trace, k) => (all || isNew("traces", k) || isNew("traces", k + 1)) && moveTrace(plot, trace, k, columns));
  for (const [kind, ones, move] of [["shapes", plot.layout.shapes, moveShape], ["notes", plot.layout.annotations, moveNote]])
    ones?.forEach((one, k) => (all || isNew(kind, k)) && move(plot, to[kind]?.[k] === null ? null : { ...one, ...to[kind]?.[k] }, k));
  if (all) for (const [name, ends] of Object.entries(axes)) moveTicks(plot, name, ends);
}

// Where a value lies along an axis, by its short name: pixels from the plot's left or top. Without ``raw`` a value on a
// logarithmic axis is its logarithm, as names and ends have it.
function scale({ layout, axes }, id, raw = true) {
  const name = `${id[0]}axis${id.slice(1)}`, axis = layout[name];
  const [low, high] = axes[name]?.range ?? axis.range, isUp = id[0] === "y";
  if (!["linear", "log"].includes(axis.type)) return axis.d2p;
  return (value) => {
    const at = raw && axis.type === "log" ? Math.log10(value) : Number(value), share = (at - low) / (high - low);
    return axis._length * (isUp ? 1 - share : share);
  };
}

// The same in the figure, also for what counts in shares of the plot.
function absolute(plot, ref, raw) {
  const size = plot.layout._size, [letter] = ref;
  if (ref === "paper") return null;
  const { _offset } = plot.layout[`${letter}axis${ref.slice(1)}`], at = scale(plot, ref, raw);
  return (value) => _offset + at(value);
}

const across = (plot, ref, raw) => absolute(plot, ref, raw) ?? ((x) => plot.layout._size.l + plot.layout._size.w * x);
const up = (plot, ref, raw) => absolute(plot, ref, raw) ?? ((y) => plot.layout._size.t + plot.layout._size.h * (1 - y));

const short = (pixels) => Math.round(pixels * 10) / 10;

function moveTrace(plot, trace, k, traces) {
  const group = plot.drawn.querySelector(`.trace${trace.uid}`) ?? ofIndex(plot.drawn, k);
  if (!group || trace.marker?.opacity < FAINT) return;
  const { moved } = plot, gone = traces[k] === null;
  moved.style(group, "visibility", gone ? "hidden" : "");
  if (gone) return;
  const points = places(plot, trace, traces[k]);
  const line = group.querySelector(".js-line"), fill = group.querySelector(".js-fill");
  if (line) moved.set(line, "d", path(points, trace.line?.shape));
  if (fill) {
    const next = plot.drawn._fullData[k + 1];
    const other = next?.fill?.startsWith("tonext") ? places(plot, next, traces[k + 1]) : atZero(plot, trace, points);
    moved.set(fill, "d", `${path([...other, ...[...points].reverse()])}Z`);
  }
  group.querySelectorAll(".points > path.point").forEach((dot, n) => {
    const at = points[n];
    moved.style(dot, "display", at && at.every(Number.isFinite) ? "" : "none");
    if (at) moved.set(dot, "transform", `translate(${short(at[0])},${short(at[1])})`);
  });
  group.querySelectorAll(".point > path").forEach((bar, n) => {
    const [x, y] = points[n] ?? [], d = bar.getAttribute("d");
    if (x !== undefined) moved.set(bar, "d", trace.orientation === "h" ? d.replace(/H[^V]+/, `H${short(x)}`) : d.replace(/V[^H]+/, `V${short(y)}`));
  });
  for (const kind of [".errorbar", ".text", ".bartext"]) // these stay behind
    group.querySelectorAll(kind).forEach((one) => moved.style(one, "opacity", 0));
}

const ofIndex = (drawn, k) => [...drawn.querySelectorAll("g.trace")].find(({ __data__: [first] = [] }) => first?.trace?.index === k);

function places(plot, trace, columns = [trace.x, trace.y]) {
  const x = scale(plot, trace.xaxis ?? "x"), y = scale(plot, trace.yaxis ?? "y");
  return Array.from(columns[0], (value, n) => [value === null ? NaN : x(value), columns[1][n] === null ? NaN : y(columns[1][n])]);
}

const atZero = (plot, trace, points) => [[points.at(-1)[0], scale(plot, trace.yaxis ?? "y")(0)], [points[0][0], scale(plot, trace.yaxis ?? "y")(0)]];

// Gaps where a place is no number. Steps go across first ("hv") or up first ("vh").
function path(points, steps) {
  let step = "M", drawn = "", last = [NaN, NaN];
  for (const [x, y] of points) {
    const [across, height] = [short(x), short(Math.min(Math.max(y, -1e4), 1e4))];
    if (!Number.isFinite(across) || !Number.isFinite(height)) step = "M";
    else if (step === "M" || Math.abs(across - last[0]) > NEAR || Math.abs(height - last[1]) > NEAR) {
      last = [across, height];
      drawn += step === "L" && steps === "hv" ? `H${across}V${height}` : step === "L" && steps === "vh" ? `V${height}H${across}` : `${step}${across},${height}`;
      step = "L";
    }
  }
  return drawn;
}

function moveShape(plot, one, k) {
  for (const drawn of plot.drawn.querySelectorAll(`.shapelayer path[data-index="${k}"]`)) {
    plot.moved.style(drawn, "visibility", one === null ? "hidden" : "");
    if (one === null || one.path) continue;
    const [x, y] = [across(plot, one.xref), up(plot, one.yref)];
    const [x0, x1, y0, y1] = [x(one.x0), x(one.x1), y(one.y0), y(one.y1)].map(short);
    plot.moved.set(drawn, "d", one.type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y1}H${x1}V${y0}H${x0}Z`);
  }
}

// A name that points somewhere keeps its arrow; one that stands at its place stands there by its anchors.
function moveNote(plot, one, k) {
  const drawn = plot.drawn.querySelector(`.annotation[data-index="${k}"]`);
  if (!drawn) return;
  const { moved } = plot, text = drawn.querySelector("text"), box = drawn.querySelector("rect.bg");
  moved.style(drawn, "visibility", one === null ? "hidden" : "");
  if (one === null) return;
  const spot = (note, on) => [across(on, note.xref, false)(note.x) + note.xshift, up(on, note.yref, false)(note.y) - note.yshift];
  const [x, y] = spot(one, plot);
  if (one.text !== text.dataset.unformatted) write(text, one, box, moved);
  if (one.showarrow) {
    const [was, before] = spot(plot.layout.annotations[k], { ...plot, axes: {} });
    return moved.set(drawn, "transform", `translate(${short(x - was)},${short(y - before)})`);
  }
  const [wide, high] = [Number(box.getAttribute("width")), Number(box.getAttribute("height"))];
  const left = { left: 0, center: wide / 2, right: wide }[one.xanchor] ?? 0, top = { top: 0, middle: high / 2, bottom: high }[one.yanchor] ?? 0;
  moved.set(text.parentNode, "transform", `translate(${short(x - left)},${short(y - top)})`);
}

// In Plotly's marks for bold letters and lines. Widths are measured on a canvas, which takes no layout of the page.
function write(text, { text: words, font }, box, moved) {
  const lines = words.split("<br>"), was = text.dataset.unformatted;
  const part = (piece) => {
    const made = shape("tspan", piece.startsWith("<b>") ? { "font-weight": "bold" } : {});
    made.textContent = plain(piece);
    return made;
  };
  moved.set(text, "data-unformatted", words);
  moved.content(text, lines.map((line, n) => {
    const made = shape("tspan", { class: "line", x: text.getAttribute("x"), y: text.getAttribute("y"), dy: `${1.3 * n}em` });
    made.append(...line.split(/(<b>.*?<\/b>)/).filter(Boolean).map(part));
    return made;
  }));
  const wide = Number(box.getAttribute("width")) + width(words, font) - width(was, font);
  moved.set(box, "width", wide);
  if (text.getAttribute("text-anchor") !== "middle") return;
  for (const one of [text, ...text.children]) moved.set(one, "x", wide / 2);
}

const plain = (marked) => marked.replace(/<[^>]+>/g, "");

function width(words, { size, family }) {
  pen.font = `${words.includes("<b>") ? "bold " : ""}${size}px ${family}`;
  return Math.max(...words.split("<br>").map((line) => pen.measureText(plain(line)).width));
}

// As many as Plotly has drawn; what an axis has less of is hidden, and more comes with the next figure.
function moveTicks(plot, name, { title, tickvals, ticktext }) {
  const id = name.replace("axis", ""), [letter] = id, axis = plot.layout[name], at = scale(plot, id, true);
  const vals = (tickvals ?? axis._vals.map(({ x }) => (axis.type === "log" ? 10 ** x : x))).map((v) => axis._offset + at(v));
  const put = (one, pixels) => {
    const inside = pixels >= axis._offset - 1 && pixels <= axis._offset + axis._length + 1;
    plot.moved.style(one, "display", inside ? "" : "none");
    if (inside) plot.moved.set(one, "transform", letter === "x" ? `translate(${short(pixels)},0)` : `translate(0,${short(pixels)})`);
  };
  const named = plot.drawn.querySelector(`.${id}title`);
  if (named && title !== named.textContent) plot.moved.content(named, [title]);
  const layer = plot.drawn.querySelector(`.${letter}axislayer-above`);
  layer.querySelectorAll(`path.${id}tick`).forEach((one, n) => put(one, vals[n] ?? NaN));
  layer.querySelectorAll(`.${id}tick > text`).forEach((one, n) => {
    put(one, vals[n] ?? NaN);
    if (ticktext?.[n] !== undefined && ticktext[n] !== one.textContent) plot.moved.content(one, [ticktext[n]]);
  });
  const inner = vals.filter((pixels) => pixels > axis._offset + 1 && pixels < axis._offset + axis._length - 1);
  plot.drawn.querySelectorAll(`.${id}grid`).forEach((one, n) => put(one, inner[n] ?? NaN));
}
