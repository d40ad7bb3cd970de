// The parts of one picture: the answer with its slider, the people, and the hills. Each is mounted on its own, so that
// the page decides where they stand; they meet here by the name of their scene and draw the level that the slider is at.
// Numbers and verdicts come from Python. The noise goes back when the slider is let go.

import { drawPeople, peopleMarkup } from "./crowd.js";
import { grouped, node } from "./elements.js";
import { drawHills, hillsMarkup } from "./hills.js";
import { byKey, PALE, turn } from "./knob.js";

const SAY_AFTER = 500; // ms that the slider rests before a screen reader is told what it shows
const GLIDE = 450; // ms from one noise to the advised one
const UNKNOWN = "Let go to compute this.";
const ANSWERED = 5000; // ms after which the server's noise counts, whatever was asked for

const pictures = new Map(); // by the scene's name: what its parts share
const parts = new WeakMap(); // by root: the part that is mounted there

export default function ({ data: [data], parentElement: root, setTriggerValue }) {
  if (data.part === "said") return tell(root, data.text);
  if (data.part === "knob" || data.part === "states") return turn(root, data);
  const name = data.part === "answer" ? data.scene.name : data.name;
  if (!pictures.has(name)) pictures.set(name, { name, draws: new Set(), at: 0, scene: null, sent: null });
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
  part.pale = data.pale ?? [];
  part.box.classList.toggle("low", Boolean(data.low));
  if (data.scene) take(picture, data.scene, part);
  redraw(picture);
  return () => {
    part.watch.disconnect();
    picture.draws.delete(part.draw);
    parts.delete(root);
  };
}

// Words for screen readers alone, said once they have rested: a figure of the page has changed, and its answer with it.
function tell(root, text) {
  const place = root.querySelector(".said") ?? root.appendChild(node("p", "said", "", { role: "status", "aria-live": "polite" }));
  const saying = setTimeout(() => place.textContent === text || (place.textContent = text), SAY_AFTER);
  return () => clearTimeout(saying);
}

function mount(root, kind, picture) {
  const box = document.createElement("div");
  box.className = `part ${kind}`;
  box.innerHTML = { answer: answerMarkup, people: peopleMarkup, hills: hillsMarkup }[kind];
  root.querySelector(".part")?.remove();
  root.append(box);
  const part = { box, $: (selector) => box.querySelector(selector) };
  const paint = { answer: drawAnswer, people: drawPeople, hills: drawHills }[kind];
  part.draw = () => picture.scene && paint(part, picture.scene, picture.scene.levels[picture.at]);
  picture.draws.add(part.draw);
  part.watch = new ResizeObserver(() => redraw(picture));
  part.watch.observe(box);
  if (kind === "answer") listen(part, picture, root);
  return part;
}

function redraw(picture) {
  if (picture.queued) return;
  picture.queued = requestAnimationFrame(() => {
    picture.queued = 0;
    for (const draw of picture.draws) draw();
  });
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

const answerMarkup = `
  <h2 class="verdict">
    <span><span class="before"></span> <b class="found"></b> <span class="of"></span>
      <span class="after"></span> <span class="badge"></span></span>
    <span><span class="state"></span> <span class="roomy advice"></span> <button type="button"></button></span>
  </h2>
  <div class="noise"><b class="now"></b><span>accurate</span>
    <span class="track"><input type="range" min="0" step="1" aria-label="Noise"><span class="advised"></span></span>
    <span>private</span></div>
  <p class="said" aria-live="polite"></p>`;

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
    for (const draw of picture.draws) draw();
    if (share < 1) requestAnimationFrame(step);
    else send(part, picture);
  };
  requestAnimationFrame(step);
}

function drawAnswer(part, scene, level) {
  const { $, box } = part, { words, advised } = scene, known = level.found !== null;
  const at = scene.levels.indexOf(level), last = Math.max(scene.levels.length - 1, 1);
  const crowd = grouped(scene.crowd), count = known ? grouped(level.found) : "…";
  const say = (kind, text) => $(kind).textContent === text || ($(kind).textContent = text); // kept where it is the same
  box.classList.toggle("over", known && level.over);
  box.classList.toggle("under", known && !level.over);
  say(".before", known ? level.before : "At most");
  say(".found", count);
  say(".of", `of ${crowd}`);
  say(".after", words.after);
  say(".badge", words.kind);
  $(".badge").title = words.kind_help;
  say(".state", known ? `${level.over ? "✕" : "✓"} ${level.verdict}` : UNKNOWN);
  say(".advice", advice(scene, level));
  say("button", words.use);
  $("button").hidden = !(known && level.over && advised !== null);
  $(".advice").classList.toggle("roomy", advised !== null || !level.over); // why there is nothing to press is said everywhere
  fit(box, $("button"));
  for (const place of part.pale.map(byKey)) if (place) place.style.opacity = at === scene.chosen ? "" : PALE;
  const now = `${words.noise} ${level.named}`, slider = $("input");
  const said = known ? `${level.before} ${count} of ${crowd} ${words.after} (${words.luck}). ${level.verdict}` : UNKNOWN;
  say(".now", now);
  slider.setAttribute("aria-label", words.noise);
  slider.max = scene.levels.length - 1;
  slider.value = at;
  slider.setAttribute("aria-valuetext", `${now}. ${said}`);
  slider.style.setProperty("--part", at / last);
  const place = advised === null ? -1 : scene.levels.findIndex((one) => one.noise === advised);
  $(".advised").hidden = place < 0;
  say(".advised", scene.levels[place]?.named ?? "");
  $(".advised").style.setProperty("--part", place / last);
  clearTimeout(part.saying);
  part.saying = setTimeout(() => say(".said", said), SAY_AFTER);
}

// A line with no room for all of it is said briefly, as on a phone: the button alone says which noise meets the limit.
function fit(box, button) {
  box.classList.remove("brief-advice");
  const [, state] = box.querySelectorAll(".verdict > span");
  const isFull = (line) => line.clientHeight > 1.6 * parseFloat(getComputedStyle(line).lineHeight);
  if (!button.hidden && isFull(state)) box.classList.add("brief-advice");
}

// A factor on all noise is one on the noise in force: of a place that the slider only passes, the noise itself is said.
function advice({ advised, words, levels, chosen }, level) {
  if (level.found === null || level.noise === advised) return "";
  if (advised === null) return level.over ? words.no_advice : "";
  return `${level === levels[chosen] ? words.remedy : words.other} ${level.over ? "meets it" : "would do"}.`;
}
