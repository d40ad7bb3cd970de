// What a page shows at every place of one of its own sliders, while the finger drags it. The slider, the sentences and the
// figures are Streamlit's: here they are moved to a state that Python has sent, until the server has answered.

import { moveFigure } from "./figure.js";
import { Moved, write } from "./moved.js";

const PALE = 0.35; // of what is not known at a place

const knobs = new Map(); // by the slider's key: what is known of it
const passed = new Map(); // by the name of a picture: the place that its own slider is at

// The slider of a picture is at this place; what moves with it on the page belongs to the knob of that name.
export function pass(name, place) {
  passed.set(name, place);
  if (knobs.get(name)?.watch) show(knobs.get(name));
}

// A part of a knob: its states, or the place that the server has answered. Both come with every run that changes them.
export function turn(root, data) {
  const knob = knobs.get(data.slider) ?? { slider: data.slider, states: {}, moved: new Moved() };
  knobs.set(data.slider, knob);
  if (data.part === "states") {
    knob.states = data.states;
    return undefined;
  }
  const theme = getComputedStyle(root.host ?? root), inks = new Map(); // each is looked up once: it takes a layout
  const ink = (name) => inks.get(name) ?? inks.set(name, theme.getPropertyValue(`--st-${name}-color`)).get(name);
  Object.assign(knob, data, { at: undefined, ink });
  knob.moved.back(false);
  const look = () => (knob.queued ??= requestAnimationFrame(() => show(knob)));
  const watch = (knob.watch = new MutationObserver(look));
  watch.observe(document.body, { subtree: true, attributeFilter: ["aria-valuetext"] });
  look(); // the slider may have moved on since the server was asked
  return () => {
    watch.disconnect();
    if (knob.watch === watch) knob.watch = undefined;
    knob.moved.back(false);
  };
}

const byKey = (key) => document.querySelector(`.st-key-${key.replace(/[^a-zA-Z0-9_-]/g, "-")}`);

function show(knob) {
  knob.queued = undefined;
  const at = passed.get(knob.slider) ?? byKey(knob.slider)?.querySelector("input")?.getAttribute("aria-valuetext");
  if (!at || at === knob.at) return;
  knob.at = at;
  const { moved } = knob, state = knob.states[at];
  if (at === knob.chosen || !state) moved.back();
  if (at === knob.chosen) return;
  for (const key of state ? knob.pale : concerned(knob)) moved.style(byKey(key), "opacity", PALE);
  const holders = Object.keys(state?.texts ?? {}).map(byKey).filter(Boolean), heights = holders.map((one) => one.offsetHeight);
  holders.forEach((one, k) => moved.style(one, "minHeight", `${heights[k]}px`)); // a shorter text moves nothing below the finger
  for (const [key, texts] of Object.entries(state?.texts ?? {})) write(byKey(key), texts, moved, knob.ink);
  for (const [key, figure] of Object.entries(state?.figures ?? {})) {
    const drawn = byKey(key)?.querySelector(".js-plotly-plot");
    if (drawn?._fullLayout) moveFigure(drawn, figure, moved);
  }
}

// All that would move, if this place had a state.
function concerned({ pale, states }) {
  const [{ texts, figures } = { texts: {}, figures: {} }] = Object.values(states);
  return [...pale, ...Object.keys(texts), ...Object.keys(figures)];
}
