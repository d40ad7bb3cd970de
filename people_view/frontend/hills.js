// The evidence without and with the record, and the threshold from which on the verdict changes. In units of the spread
// without the record, whose hill therefore stays where it is while the other slides.

import { key, label, node, shape } from "./elements.js";

const HIGHEST = 20000; // as HEIGHT in scene.py
const TAIL = 0.6; // height of the picture that the tail behind the threshold is drawn up to, where it is low
const TALLEST = 200; // times that it is drawn taller at most
const BELOW = 24, ABOVE = 10; // pixels

export const hillsMarkup = `<figure><figcaption></figcaption><svg class="chart" role="img"></svg></figure>`;

export function drawHills(part, scene, level) {
  const { words } = scene, svg = part.$("svg");
  part.$("figcaption").replaceChildren(
    node("b", "", "What the attacker sees "), key("guessed", words.null), key("found", words.alternative),
  );
  const width = svg.clientWidth, height = svg.clientHeight;
  if (!level.hills) {
    const why = level.found === null ? "Let go to compute this." : "The two lie too far apart for one axis.";
    svg.replaceChildren(label(width / 2, height / 2, why, "middle"));
    svg.setAttribute("aria-label", why);
    return;
  }
  const [low, high] = scene.axis, base = height - BELOW;
  const place = { x: (v) => ((v - low) / (high - low)) * width, base, up: (h) => base - (h / 1.1) * (base - ABOVE) };
  const cut = Math.min(Math.max(level.hills.threshold, low), high);
  const hills = [level.hills.outsiders, level.hills.members].map((ys) => hill(scene, ys));
  const tails = hills.map((one) => beyond(one, cut, scene.clears));
  const times = Math.min(Math.max(TAIL / Math.max(...tails.flat().map(([, h]) => h), 1e-9), 1), TALLEST);
  const parts = [];
  hills.forEach((one, k) => {
    parts.push(shape("path", { d: area(place, one), class: `${KIND[k]} faint` }));
    parts.push(shape("path", { d: line(place, one), class: `${KIND[k]} outline` }));
  });
  for (const k of scene.clears ? [0, 1] : [1, 0])
    parts.push(shape("path", { d: area(place, tails[k], times), class: `${KIND[k]} tail` }));
  parts.push(...marks(place, scene, cut, times, width));
  svg.replaceChildren(...parts);
  svg.setAttribute("aria-label", `Two hills: the evidence of ${words.null} and of ${words.alternative}, with the threshold.`);
}

const KIND = ["guessed", "found"];

function hill(scene, heights) {
  const [low, high] = scene.axis, step = (high - low) / (heights.length - 1);
  return heights.map((h, k) => [low + k * step, h / HIGHEST]);
}

// The part of a hill on the verdict's side of the threshold.
function beyond(points, cut, clears) {
  const after = Math.min(Math.max(points.findIndex(([v]) => v > cut), 1), points.length - 1);
  const [[v0, h0], [v1, h1]] = [points[after - 1], points[after]];
  const edge = [cut, h0 + ((cut - v0) / (v1 - v0)) * (h1 - h0)];
  return clears ? [...points.filter(([v]) => v < cut), edge] : [edge, ...points.filter(([v]) => v > cut)];
}

function line({ x, up }, points, times = 1) {
  return `M${points.map(([v, h]) => `${x(v).toFixed(1)},${up(Math.min(h * times, 1.1)).toFixed(1)}`).join("L")}`;
}

function area(place, points, times) {
  return `${line(place, points, times)}L${place.x(points.at(-1)[0])},${place.base}L${place.x(points[0][0])},${place.base}Z`;
}

function marks({ x, base }, { words, clears }, cut, times, width) {
  const at = x(cut), left = clears ? at > 140 : at > width - 140;
  const [shift, anchor] = left ? [-6, "end"] : [6, "start"];
  const found = [
    shape("line", { x1: at, x2: at, y1: ABOVE - 2, y2: base, class: "limit" }),
    shape("line", { x1: 0, x2: width, y1: base, y2: base, class: "axis" }),
    label(at + shift, 20, words.accused, anchor, "strong halo"),
    label(0, base + 18, words.low, "start"),
    label(width, base + 18, words.high, "end"),
  ];
  if (times >= 1.5) found.push(label(at + shift, 36, `drawn ${times < 10 ? times.toFixed(1) : Math.round(times)} times taller`, anchor, "halo"));
  return found;
}
