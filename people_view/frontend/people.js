// The parts of one picture: the answer with its slider, the people, and the hills. Each is mounted on its own, so that
// the page decides where they stand; they meet here by the name of their scene and draw the level that the slider is at.
// The noise goes back when the slider is let go.

import { answer } from "./answer.js";
import { people } from "./crowd.js";
import { node, say } from "./elements.js";
import { hills } from "./hills.js";
import { pass, turn } from "./knob.js";

const KINDS = { answer, people, hills };
const SAY_AFTER = 500; // ms that words rest before a screen reader is told
const GLIDE = 450; // ms from one noise to the advised one
const ANSWERED = 5000; // ms after which the server's noise counts, whatever was asked for

const pictures = new Map(); // by the scene's name: what its parts share
const parts = new WeakMap(); // by root: the part that is mounted there

export default function ({ data: [data], parentElement: root, setTriggerValue }) {
  if (data.part === "said") return tell(root, data.text);
  if (data.part === "knob" || data.part === "states") return turn(root, data);
  const name = data.scene?.name ?? data.name;
  if (!pictures.has(name)) pictures.set(name, { name, parts: new Set(), at: 0, scene: null, sent: null });
  const picture = pictures.get(name);
  if (data.part === "levels") {
    picture.more = data;
    complete(picture);
    return redraw(picture);
  }
  let part = parts.get(root);
  if (!part) {
    part = mount(root, data.part, picture);
    parts.set(root, part);
  }
  part.ask = setTriggerValue;
  part.box.classList.toggle("low", Boolean(data.low));
  if (data.scene) take(picture, data.scene, part);
  redraw(picture);
  return () => {
    part.watch.disconnect();
    picture.parts.delete(part);
    parts.delete(root);
  };
}

// Words for screen readers alone, said once they have rested: a figure of the page has changed, and its answer with it.
function tell(root, text) {
  const place = root.querySelector(".said") ?? root.appendChild(node("p", "said", "", { role: "status", "aria-live": "polite" }));
  const saying = setTimeout(() => say(place, text), SAY_AFTER);
  return () => clearTimeout(saying);
}

function mount(root, name, picture) {
  const box = node("div", `part ${name}`, ""), kind = KINDS[name], known = new Map();
  box.innerHTML = kind.markup;
  root.querySelector(".part")?.remove();
  root.append(box);
  const $ = (selector) => known.get(selector) ?? known.set(selector, box.querySelector(selector)).get(selector);
  const part = { box, kind, $ };
  picture.parts.add(part);
  part.watch = new ResizeObserver(() => {
    part.size = kind.measure(part); // here alone: at any other time it would have the browser lay out the page once more
    redraw(picture);
  });
  part.watch.observe(box);
  if (kind === answer) listen(part, picture, root);
  return part;
}

function redraw(picture) {
  picture.queued ??= requestAnimationFrame(() => {
    picture.queued = undefined;
    draw(picture);
  });
}

// All parts, and what moves with them on the page.
function draw({ name, scene, at, parts: all }) {
  if (!scene) return;
  for (const part of all) {
    if (part.captioned !== scene) part.kind.caption(part, (part.captioned = scene));
    part.size ??= part.kind.measure(part);
    part.kind.draw(part, scene, scene.levels[at]);
  }
  pass(name, scene.levels[at].named);
}

// A scene from the server. An older answer must not take the thumb away from who drags it or has asked since.
function take(picture, scene, part) {
  const shown = picture.scene?.levels[picture.at]?.noise;
  const answered = picture.sent === null || scene.levels[scene.chosen].noise === picture.sent.noise;
  const late = picture.sent !== null && performance.now() - picture.sent.when > ANSWERED;
  const held = part.$("input").matches(":active");
  picture.scene = scene;
  complete(picture);
  if (answered || late) picture.sent = null;
  picture.at = shown === undefined || (!held && picture.sent === null) ? scene.chosen : nearest(scene.levels, shown);
}

// Levels that were computed after the answer, if they are of the scene that is shown: another one has other numbers.
function complete(picture) {
  const { scene, more } = picture;
  if (!scene || more?.subject !== scene.subject) return;
  const known = new Map(more.levels.map((one) => [one.noise, one]));
  const levels = scene.levels.map((one) => (one.found === null ? known.get(one.noise) ?? one : one));
  picture.scene = { ...scene, levels };
}

function nearest(levels, noise) {
  const distance = (one) => Math.abs(Math.log(one.noise / noise));
  return levels.reduce((best, one, k) => (distance(one) < distance(levels[best]) ? k : best), 0);
}

function listen(part, picture, root) {
  const slider = part.$("input");
  slider.addEventListener("input", () => {
    picture.at = +slider.value;
    redraw(picture);
  });
  slider.addEventListener("change", () => send(part, picture));
  part.box.addEventListener("click", (event) => event.target.tagName === "BUTTON" && glide(part, picture));
  keepInView(root);
}

function send(part, picture) {
  const { noise } = picture.scene.levels[picture.at];
  picture.sent = { noise, when: performance.now() };
  part.ask("noise", noise);
}

// On a phone the answer stays in view. What has to stick is Streamlit's box around the part: it alone has the page below.
function keepInView(root) {
  const holder = (root.host ?? root).closest('[data-testid="stElementContainer"]');
  if (!holder) return;
  const narrow = matchMedia("(max-width: 640px)");
  const set = () =>
    Object.assign(holder.style, narrow.matches ? { position: "sticky", top: "56px", zIndex: 3 } : { position: "", top: "", zIndex: "" });
  narrow.addEventListener("change", set);
  set();
}

// To the advised noise, through what lies between, unless the visitor wants less motion.
function glide(part, picture) {
  const from = picture.at, to = nearest(picture.scene.levels, picture.scene.advised);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const start = performance.now();
  const step = (now) => {
    const share = still ? 1 : Math.min((now - start) / GLIDE, 1);
    picture.at = Math.round(from + (to - from) * share * (2 - share));
    draw(picture);
    if (share < 1) requestAnimationFrame(step);
    else send(part, picture);
  };
  requestAnimationFrame(step);
}
