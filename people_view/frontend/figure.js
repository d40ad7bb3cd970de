// Moving a drawn figure of Plotly's: its lines, points, bars, shapes and names go to where a state has them. Plotly itself
// would take five frames for it; here only places are written, on the axes that it has laid out.

import { drawn as element, say, textWidth } from "./elements.js";

const FAINT = 0.1; // of points that are there to be clicked: they stay where they are
const NEAR = 0.4; // pixels between two points of a line, of which the second is left out

export function moveFigure(drawn, to, moved) {
  if (moved.figures.get(drawn)?.layout !== drawn._fullLayout) moved.figures.set(drawn, plotOf(drawn, moved));
  const plot = moved.figures.get(drawn), { was } = plot, { axes = {}, traces = {}, names = {} } = to;
  Object.assign(plot, { axes, was: to });
  moved.style(drawn, "pointerEvents", "none"); // what hovers would be of the state before
  const all = !isSame(axes, was.axes ?? {}); // on other axes nothing stays where it is
  const isNew = (kind, k) => all || !isSame(to[kind]?.[k], was[kind]?.[k]);
  const isMoved = drawn._fullData.map((_, k) => isNew("traces", k));
  drawn._fullData.forEach((trace, k) => {
    if (isMoved[k] || isMoved[k + 1]) moveTrace(plot, trace, k, traces);
    if (names[k] && plot.entries.has(k)) write(plot.entries.get(k), names[k], moved);
  });
  for (const [kind, ones, move] of [["shapes", plot.layout.shapes, moveShape], ["notes", plot.layout.annotations, moveNote]])
    ones?.forEach((one, k) => {
      const there = to[kind]?.[k];
      if (isNew(kind, k)) move(plot, there === null ? null : { ...one, ...there }, k);
    });
  if (all) for (const [name, ends] of Object.entries(axes)) moveTicks(plot, name, ends);
}

function isSame(one, other) {
  if (one === other || !one || !other || typeof one !== "object") return one === other;
  if (Array.isArray(one)) return one.length === other.length && one.every((part, n) => isSame(part, other[n]));
  return Object.keys({ ...one, ...other }).every((key) => isSame(one[key], other[key]));
}

// The elements of a figure, looked up once for as long as Plotly does not lay it out anew.
function plotOf(drawn, moved) {
  const layout = drawn._fullLayout, all = (selector, root = drawn) => [...root.querySelectorAll(selector)];
  const index = (one) => one.__data__?.[0]?.trace?.index;
  const parts = (group) => ({
    group,
    line: group.querySelector(".js-line"),
    fill: group.querySelector(".js-fill"),
    dots: all(".points > path.point", group),
    bars: all(".point > path", group),
    errors: all(".yerror", group),
    words: all(".textpoint", group),
    behind: all(".xerror, .bartext", group), // these are not moved
  });
  return {
    drawn, moved, layout, axes: {}, was: {},
    groups: new Map(all("g.trace").map((group) => [index(group), parts(group)])),
    entries: new Map(all(".legend .traces").map((one) => [index(one), one.querySelector("text")])),
    shapes: all(".shapelayer path[data-index]"),
    notes: new Map(all(".annotation").map((one) => [Number(one.dataset.index), one])),
  };
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
function inFigure(plot, letter, ref, raw) {
  const { l, t, w, h } = plot.layout._size;
  if (ref === "paper") return (share) => (letter === "x" ? l + w * share : t + h * (1 - share));
  const { _offset } = plot.layout[`${letter}axis${ref.slice(1)}`], at = scale(plot, ref, raw);
  return (value) => _offset + at(value);
}

const short = (pixels) => Math.round(pixels * 10) / 10;
const isSeen = (place) => place?.every(Number.isFinite) ?? false;

function moveTrace(plot, trace, k, traces) {
  const parts = plot.groups.get(k), { moved } = plot;
  if (!parts || trace.marker?.opacity < FAINT) return;
  moved.style(parts.group, "visibility", traces[k] === null ? "hidden" : "");
  if (traces[k] === null) return;
  const columns = traces[k] ?? [trace.x, trace.y], points = places(plot, trace, columns), { line, fill } = parts;
  if (line && trace.line?.width !== 0) moved.set(line, "d", path(points, trace.line?.shape));
  if (fill) {
    const next = plot.drawn._fullData[k + 1];
    const zero = scale(plot, trace.yaxis ?? "y")(0), ends = [points.at(-1), points[0]].map(([x]) => [x, zero]);
    const other = next?.fill?.startsWith("tonext") ? places(plot, next, traces[k + 1]) : ends;
    moved.set(fill, "d", `${path([...other, ...[...points].reverse()])}Z`);
  }
  parts.dots.forEach((dot, n) => {
    const at = points[dot.__data__?.i ?? n]; // of many points only some are drawn
    moved.style(dot, "display", isSeen(at) ? "" : "none");
    if (at) moved.set(dot, "transform", `translate(${at.map((pixels) => Math.round(pixels * 100) / 100)})`);
  });
  parts.bars.forEach((bar, n) => {
    const [x, y] = points[n] ?? [], d = bar.getAttribute("d");
    if (x !== undefined) moved.set(bar, "d", trace.orientation === "h" ? d.replace(/H[^V]+/, `H${short(x)}`) : d.replace(/V[^H]+/, `V${short(y)}`));
  });
  const before = parts.words.length || parts.errors.length ? places({ ...plot, axes: {} }, trace) : [];
  parts.words.forEach((one, n) => {
    moved.style(one, "visibility", isSeen(points[n]) ? "" : "hidden");
    if (isSeen(points[n])) moved.set(one, "transform", `translate(${points[n].map((pixels, at) => short(pixels - before[n][at]))})`);
  });
  moveErrors(plot, trace, columns, parts.errors, (n) => points[n][0] - before[n][0]);
  for (const one of parts.behind) moved.style(one, "opacity", 0);
}

// Upright bars of errors, as Plotly draws them: a hat, the bar, a foot.
function moveErrors(plot, trace, [, y, above = trace.error_y?.array, below = trace.error_y?.arrayminus ?? above], errors, shift) {
  const at = scale(plot, trace.yaxis ?? "y");
  errors.forEach((bar, n) => {
    bar.laid ??= bar.getAttribute("d").match(/^M([-\d.]+),[-\d.]+h([-\d.]+)/).slice(1).map(Number);
    const [left, wide] = bar.laid, [high, low] = [y[n] + above[n], y[n] - below[n]].map(at), isThere = y[n] !== null && isSeen([high, low]);
    plot.moved.style(bar, "display", isThere ? "" : "none");
    if (isThere) plot.moved.set(bar, "d", `M${short(left + shift(n))},${short(high)}h${wide}m${-wide / 2},0V${short(low)}m${-wide / 2},0h${wide}`);
  });
}

function places(plot, trace, columns = [trace.x, trace.y]) {
  const x = scale(plot, trace.xaxis ?? "x"), y = scale(plot, trace.yaxis ?? "y");
  return Array.from(columns[0], (value, n) => [value === null ? NaN : x(value), columns[1][n] === null ? NaN : y(columns[1][n])]);
}

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
  for (const drawn of plot.shapes.filter(({ dataset }) => Number(dataset.index) === k)) {
    plot.moved.style(drawn, "visibility", one === null ? "hidden" : "");
    if (one === null || one.path) continue;
    const x = inFigure(plot, "x", one.xref), y = inFigure(plot, "y", one.yref);
    const [x0, x1, y0, y1] = [x(one.x0), x(one.x1), y(one.y0), y(one.y1)].map(short);
    plot.moved.set(drawn, "d", one.type === "line" ? `M${x0},${y0}L${x1},${y1}` : `M${x0},${y1}H${x1}V${y0}H${x0}Z`);
  }
}

// A name that points somewhere keeps its arrow; one that stands at its place stands there by its anchors.
function moveNote(plot, one, k) {
  const drawn = plot.notes.get(k), { moved } = plot;
  if (!drawn) return;
  moved.style(drawn, "visibility", one === null ? "hidden" : "");
  if (one === null) return;
  const text = drawn.querySelector("text"), box = drawn.querySelector("rect.bg");
  const spot = (note, on) => [inFigure(on, "x", note.xref, false)(note.x) + note.xshift, inFigure(on, "y", note.yref, false)(note.y) - note.yshift];
  const [x, y] = spot(one, plot), was = text.dataset.unformatted;
  if (one.text !== was) {
    const wide = Number(box.getAttribute("width")) + width(one.text, one.font) - width(was, one.font);
    moved.set(box, "width", wide);
    write(text, one.text, moved, text.getAttribute("text-anchor") === "middle" ? wide / 2 : undefined);
  }
  if (one.showarrow) {
    const [left, top] = spot(plot.layout.annotations[k], { ...plot, axes: {} });
    return moved.set(drawn, "transform", `translate(${short(x - left)},${short(y - top)})`);
  }
  const [wide, high] = [Number(box.getAttribute("width")), Number(box.getAttribute("height"))];
  const left = { left: 0, center: wide / 2, right: wide }[one.xanchor] ?? 0, top = { top: 0, middle: high / 2, bottom: high }[one.yanchor] ?? 0;
  moved.set(text.parentNode, "transform", `translate(${short(x - left)},${short(y - top)})`);
}

// Words in the place of a text, in Plotly's marks for bold letters and lines; from ``middle`` to both sides, if given. New
// elements would have the figure styled anew: they are made where the marks are others.
function write(text, words, moved, middle) {
  if (words === text.dataset.unformatted) return;
  moved.set(text, "data-unformatted", words);
  if (middle !== undefined) moved.set(text, "x", middle);
  const lines = words.split("<br>").map((line) => line.split(/(<b>.*?<\/b>)/).filter(Boolean));
  const marks = words.replace(/[^<>]+(?![^<]*>)/g, " "), [x, y] = ["x", "y"].map((name) => text.getAttribute(name) ?? "0");
  if (text.marks !== marks || !moved.has(text, "content")) {
    text.marks = marks;
    moved.content(text, lines.map((pieces, n) => {
      const made = element("tspan", "", { class: "line", dy: `${1.3 * n}em` });
      made.append(...pieces.map((piece) => element("tspan", " ", piece.startsWith("<b>") ? { "font-weight": "bold" } : {})));
      return made;
    }));
  }
  lines.forEach((pieces, n) => {
    const line = text.children[n];
    for (const [name, at] of [["x", x], ["y", y]]) if (line.getAttribute(name) !== at) line.setAttribute(name, at);
    pieces.forEach((piece, k) => say(line.children[k], plain(piece)));
  });
}

const SIGNS = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&#123;": "{", "&nbsp;": "\u00a0" }; // as Python spells what is no mark
const plain = (marked) => marked.replace(/<[^>]+>/g, "").replace(/&#?\w+;/g, (one) => SIGNS[one] ?? one);

const width = (words, { size, family }) =>
  Math.max(...words.split("<br>").map((line) => textWidth(plain(line), `${words.includes("<b>") ? "bold " : ""}${size}px ${family}`)));

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
