// People: a row with a dot for each who is found, against the limit, and the same people in a crowd of all.

import { arrange, grouped, key, label, name, node, shape } from "./elements.js";

const CELLS = 10000; // of the crowd, whatever number of people it stands for
const PER_ROW = [80, 100, 125, 200, 250, 400]; // numbers of columns that leave no ragged row
const ORDER = shuffled(CELLS); // one order for good: more noise takes people away and moves none
const INK = { guessed: "#0077bb", found: "#d55e00", other: "#7a828c" };

export const people = {
  markup: `<figure><figcaption></figcaption><svg class="row" role="img"><g class="people"></g><g class="mark"></g></svg><canvas role="img"></canvas></figure>`,
  measure: ({ $ }) => ({ row: $("svg").clientWidth, wide: $("canvas").clientWidth, high: $("canvas").clientHeight }),
  caption,
  draw,
};

function caption({ $ }, { words, crowd }) {
  const each = crowd / CELLS;
  const said = [node("b", "", `Of every ${grouped(crowd)} ${words.group}: `), key("guessed", words.guessing), key("found", "…")];
  if (each > 1) said.push(node("span", "", `A square below: ${grouped(each)} people.`));
  $("figcaption").replaceChildren(...said);
}

function draw({ $, size }, scene, level) {
  const { words, crowd } = scene, found = level.found ?? 0, guessed = Math.min(scene.guessed, found);
  const more = grouped(Math.max(found - scene.guessed, 0));
  $("figcaption").children[2].lastChild.data = level.found === null ? "not computed yet" : `up to ${more} ${words.more}`;
  const count = `${level.before} ${grouped(found)} of ${grouped(crowd)} ${words.after} (${words.luck})`;
  const said = `${level.found === null ? "not computed" : count}; the limit is ${grouped(scene.limit)}.`;
  drawRow($, size.row, found, guessed, scene.limit);
  drawCrowd($("canvas"), size, found, guessed);
  name($("svg"), `A row of people: ${said}`);
  name($("canvas"), `A crowd with them marked: ${said}`);
}

// One line for all of a kind, whatever their number: of dashes without length, whose round ends are dots.
function drawRow($, width, found, guessed, limit) {
  const most = Math.max(Math.min(limit * 2.2, found * 2.5), found * 1.04, 50), unit = (width - 4) / most;
  const r = Math.min(unit * 0.36, 6), isDots = unit > 4.5; // a gap that a telephone shows as well
  const look = isDots ? { "stroke-width": 2 * r, "stroke-dasharray": "0 1", "stroke-linecap": "round" }
    : { "stroke-width": 12, "stroke-dasharray": "none", "stroke-linecap": "butt" };
  const people = [["found", guessed, found], ["guessed", 0, guessed]].map(([kind, from, to]) => shape("path", {
    d: to > from ? `M${(isDots ? from + 0.5 : from) * unit} 26H${(isDots ? to - 0.25 : to) * unit}` : "",
    class: kind, pathLength: Math.max(to - from - 0.75, 0), ...look,
  }));
  const isFar = limit > most, x = isFar ? width : limit * unit, left = x > width - 130; // the row is long enough for those found
  const limited = label(x + (left ? -6 : 6), 13, `your limit, ${grouped(limit)}${isFar ? " →" : ""}`, left ? "end" : "start", "strong halo");
  arrange($(".people"), people);
  arrange($(".mark"), isFar ? [limited] : [shape("line", { x1: x, x2: x, y1: 4, y2: 38, class: "limit" }), limited]);
}

function drawCrowd(canvas, size, found, guessed) {
  const ratio = devicePixelRatio, pixels = [size.wide, size.high].map((one) => Math.round(one * ratio));
  if (!pixels[0] || !pixels[1]) return;
  if (size.ratio !== ratio) {
    [canvas.width, canvas.height] = pixels;
    size.place = places(size.wide, size.high);
    size.everybody = everybody(pixels, ratio, size.place);
    size.ratio = ratio;
  }
  const { at, cell } = size.place, pen = (canvas.pen ??= canvas.getContext("2d"));
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, ...pixels);
  pen.drawImage(size.everybody, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  const radius = found < 150 ? Math.max(3.2, cell * 0.85) : found < 1000 ? Math.max(2, cell * 0.6) : cell * 0.46;
  for (const [ink, from, to] of [[INK.found, guessed, Math.min(found, CELLS)], [INK.guessed, 0, Math.min(guessed, CELLS)]]) {
    pen.fillStyle = ink;
    pen.beginPath();
    for (let n = from; n < to; n++) {
      const [x, y] = at(ORDER[n]);
      if (found < 1000) pen.moveTo(x + radius, y), pen.arc(x, y, radius, 0, 7);
      else pen.rect(x - radius, y - radius, 2 * radius, 2 * radius);
    }
    pen.fill();
  }
}

// Where a person stands, in a canvas of this size.
function places(width, height) {
  const ideal = Math.sqrt((CELLS * width) / height), off = (n) => Math.abs(Math.log(n / ideal));
  const columns = PER_ROW.reduce((a, b) => (off(b) < off(a) ? b : a));
  const dx = (width - 8) / columns, dy = (height - 8) / (CELLS / columns);
  const at = (k) => [4 + ((k % columns) + 0.5) * dx, 4 + (Math.floor(k / columns) + 0.5) * dy];
  return { at, cell: Math.min(dx, dy) };
}

// All people, drawn once for a size: a movement of the slider only copies it.
function everybody(size, ratio, { at, cell }) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = size;
  const pen = canvas.getContext("2d"), side = Math.max(1, cell * 0.56);
  pen.scale(ratio, ratio);
  pen.fillStyle = INK.other;
  pen.globalAlpha = 0.42;
  for (let k = 0; k < CELLS; k++) {
    const [x, y] = at(k);
    pen.fillRect(x - side / 2, y - side / 2, side, side);
  }
  return canvas;
}

function shuffled(size) {
  const order = Array.from({ length: size }, (_, k) => k);
  let seed = 7;
  for (let k = size - 1; k > 0; k--) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const other = Math.floor((seed / 2147483648) * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return order;
}
