// The evidence without and with the record, and the threshold from which on the verdict changes. Where a law is narrower
// than a pixel a line stands for it, as high as its share; a lot decides on a part of a line at the threshold.

import { arrange, key, label, name, node, shape } from "./elements.js";

const HIGHEST = 20000, PLACES = 960; // as HEIGHT and PLACES in scene.py
const TAIL = 0.6; // height of the picture that what lies behind the threshold is drawn up to, where it is low
const TALLEST = 200; // times that it is drawn taller at most
const SAID = 1.5; // times taller, from which on it is said
const BELOW = 24, ABOVE = 10; // pixels
const KIND = ["guessed", "found"];

export const hills = {
  markup: `<figure><figcaption></figcaption><svg class="chart" role="img"></svg></figure>`,
  measure: ({ $ }) => ({ width: $("svg").clientWidth, height: $("svg").clientHeight }),
  caption: ({ $ }, { words }) => $("figcaption").replaceChildren(
    node("b", "", "What the attacker sees "), key("guessed", words.null), key("found", words.alternative),
  ),
  draw,
};

function draw({ $, size: { width, height } }, scene, level) {
  const { words, clears } = scene, { hills: seen } = level, svg = $("svg");
  if (!seen) {
    const why = level.found === null ? "Let go to compute this." : "No law of this evidence is known.";
    arrange(svg, [label(width / 2, height / 2, why, "middle")]);
    return name(svg, why);
  }
  const both = [seen.outsiders, seen.members];
  const base = height - BELOW, cut = seen.threshold;
  const place = { x: (v) => (v / PLACES) * width, base, up: (h) => base - (h / 1.1) * (base - ABOVE) };
  const outlines = both.map(({ places, heights }) => places.map((v, k) => [v, heights[k] / HIGHEST]));
  const tails = both.map(({ places }, k) => beyond(outlines[k], places, cut, clears));
  const highest = Math.max(...both.flatMap((one) => one.shares), 1);
  const lines = both.map((one) => linesOf(one, cut, clears, highest));
  const judged = [...tails.flat().map(([, h]) => h), ...lines.flat().map(({ high, part }) => high * part)];
  const short = TAIL / Math.max(...judged, 1e-9), times = short < 2 ? 1 : Math.min(short, TALLEST);
  const parts = [];
  outlines.forEach((one, k) => {
    parts.push(shape("path", { d: area(place, one), class: `${KIND[k]} faint` }));
    parts.push(shape("path", { d: line(place, one), class: `${KIND[k]} outline` }));
  });
  const order = clears ? [0, 1] : [1, 0];
  for (const k of order) parts.push(shape("path", { d: area(place, tails[k], times), class: `${KIND[k]} tail` }));
  for (const k of order) parts.push(...lines[k].flatMap((one) => stem(place, one, k, times)));
  parts.push(...marks(place, scene, cut, times, width));
  both.forEach((one, k) => one.taller >= SAID && parts.push(taller(place, outlines[k], one.taller, width)));
  if (both.some((one) => one.lines.length)) parts.push(label(width / 2, base + 18, "line: a share at one place", "middle"));
  arrange(svg, parts);
  name(svg, `The evidence of ${words.null} and of ${words.alternative}, with the threshold.`);
}

const isBeyond = (v, cut, clears) => (clears ? v < cut : v > cut);

// An outline has two corners at the threshold: one ends what lies below it, the other begins what lies above.
function beyond(points, places, cut, clears) {
  if (!points.length) return [];
  return clears ? points.slice(0, places.indexOf(cut) + 1) : points.slice(places.lastIndexOf(cut));
}

// The lines of a hill: their height, and which part of each is judged.
function linesOf({ lines, shares, lot }, cut, clears, highest) {
  const part = (v) => (v === cut ? lot : Number(isBeyond(v, cut, clears)));
  return lines.map((v, k) => ({ v, high: shares[k] / highest, part: part(v) }));
}

// Beside each other where both laws have one at the same place.
function stem({ x, base, up }, { v, high, part }, k, times) {
  const at = x(v) + (k ? 1.5 : -1.5);
  const drawn = (height, kind) => shape("line", { x1: at, x2: at, y1: base, y2: up(height), class: `${KIND[k]} stem ${kind}` });
  return [...(part < 1 ? [drawn(high, "pale")] : []), ...(part > 0 ? [drawn(Math.min(high * part * times, 1.1), "judged")] : [])];
}

function line({ x, up }, points, times = 1) {
  return points.length ? `M${points.map(([v, h]) => `${x(v).toFixed(1)},${up(Math.min(h * times, 1.1)).toFixed(1)}`).join("L")}` : "";
}

function area(place, points, times) {
  const [first, last] = [points[0], points.at(-1)];
  return first ? `${line(place, points, times)}L${place.x(last[0])},${place.base}L${place.x(first[0])},${place.base}Z` : "";
}

const many = (times) => `drawn ${times < 10 ? times.toFixed(1) : Math.round(times)} times taller`;

function taller({ x, up }, points, times, width) {
  const [v, h] = points.reduce((best, one) => (one[1] > best[1] ? one : best));
  return label(Math.min(Math.max(x(v), 70), width - 70), up(h) - 5, many(times), "middle", "halo");
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
  if (times >= SAID) found.push(label(at + shift, 36, many(times), anchor, "halo"));
  return found;
}
