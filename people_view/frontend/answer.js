// The verdict and its slider. Numbers and sentences come from Python.

import { grouped, say, textWidth } from "./elements.js";

const SAY_AFTER = 500; // ms that the slider rests before a screen reader is told what it shows
const UNKNOWN = "Let go to compute this.";
const BUTTON = 34; // pixels that a button has around its words, with its margin

export const answer = {
  markup: `
  <h2 class="verdict">
    <span><span class="before"></span> <b class="found"></b> <span class="of"></span>
      <span class="after"></span> <span class="badge"></span></span>
    <span><span class="state"></span> <span class="roomy advice"></span> <button type="button"></button></span>
  </h2>
  <div class="noise"><b class="now"></b><span>accurate</span>
    <span class="track"><input type="range" min="0" step="1" aria-label="Noise"><span class="advised"></span></span>
    <span>private</span></div>
  <p class="said" aria-live="polite"></p>`,
  measure,
  caption,
  draw,
};

function measure({ $ }) {
  const { fontWeight, fontSize, fontFamily, letterSpacing } = getComputedStyle($(".verdict"));
  const room = $(".verdict > span").clientWidth, font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const wide = (words) => textWidth(`${words} `, font, letterSpacing);
  return { fits: (state, advice, use) => wide(state) + wide(advice) + textWidth(use, `400 14px ${fontFamily}`) + BUTTON < room };
}

// What is the same at every level.
function caption({ $ }, { crowd, words, levels, advised }) {
  for (const [kind, text] of [[".of", `of ${grouped(crowd)}`], [".after", words.after], [".badge", words.kind], ["button", words.use]])
    $(kind).textContent = text;
  $(".badge").title = words.kind_help;
  $("input").setAttribute("aria-label", words.noise);
  $("input").max = levels.length - 1;
  const place = advised === null ? -1 : levels.findIndex((one) => one.noise === advised);
  $(".advised").hidden = place < 0;
  $(".advised").textContent = levels[place]?.named ?? "";
  $(".advised").style.setProperty("--part", place / Math.max(levels.length - 1, 1));
}

function draw(part, scene, level) {
  const { $, box, size } = part, { words, advised, levels } = scene, known = level.found !== null, at = levels.indexOf(level);
  const count = known ? grouped(level.found) : "…", now = `${words.noise} ${level.named}`;
  const state = known ? `${level.over ? "✕" : "✓"} ${level.verdict}` : UNKNOWN, advice = adviceOf(scene, level);
  const isOffered = known && level.over && advised !== null;
  box.classList.toggle("over", known && level.over);
  box.classList.toggle("under", known && !level.over);
  // A line with no room for all of it is said briefly, as on a phone: the button alone says which noise meets the limit.
  box.classList.toggle("brief-advice", isOffered && !size.fits(state, advice, words.use));
  say($(".before"), known ? level.before : "At most");
  say($(".found"), count);
  say($(".state"), state);
  say($(".advice"), advice);
  if ($("button").hidden === isOffered) $("button").hidden = !isOffered;
  $(".advice").classList.toggle("roomy", advised !== null || !level.over); // why there is nothing to press is said everywhere
  say($(".now"), now);
  const said = known ? `${level.before} ${count} of ${grouped(scene.crowd)} ${words.after} (${words.luck}). ${level.verdict}` : UNKNOWN;
  $("input").value = at;
  $("input").setAttribute("aria-valuetext", `${now}. ${said}`);
  $("input").style.setProperty("--part", at / Math.max(levels.length - 1, 1));
  clearTimeout(part.saying);
  part.saying = setTimeout(() => say($(".said"), said), SAY_AFTER);
}

// A factor on all noise is one on the noise in force: of a place that the slider only passes, the noise itself is said.
function adviceOf({ advised, words, levels, chosen }, level) {
  if (level.found === null || level.noise === advised) return "";
  if (advised === null) return level.over ? words.no_advice : "";
  return `${level === levels[chosen] ? words.remedy : words.other} ${level.over ? "meets it" : "would do"}.`;
}
