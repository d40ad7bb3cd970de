// What a page shows at every place of one of its sliders, while the finger drags it. The sentences and the figures are
// Streamlit's, and most sliders: here they are moved to a state that Python has sent, until the server has answered.

import { node } from "./elements.js";
import { moveFigure } from "./figure.js";

const PALE = 0.35; // of what is not known at a place
const COPY = "knob-copy";
const LEAVES = [ // that a text of the page is in: headings, paragraphs, small print, and the values of numbers
  "[data-heading-text]",
  "[data-testid=stMarkdown] [data-testid=stMarkdownContainer] > p",
  "[data-testid=stCaptionContainer] p",
  "[data-testid=stMetricValue] p",
].map((one) => `${one}:not(.${COPY})`).join();
const MARKS = /(\*\*.+?\*\*|:\w+-badge\[.+?\])/; // of the Markdown that sentences are written in

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
  const { moved, states } = knob, state = states[at], { texts = {}, figures = {} } = state ?? Object.values(states)[0] ?? {};
  if (at === knob.chosen || !state) moved.back();
  if (at === knob.chosen) return;
  // Where a place has no state, all that would move is pale.
  for (const key of state ? knob.pale : [...knob.pale, ...Object.keys(texts), ...Object.keys(figures)]) moved.style(byKey(key), "opacity", PALE);
  if (!state) return;
  const holders = Object.keys(texts).map(byKey), heights = holders.map((one) => one?.offsetHeight);
  holders.forEach((one, k) => moved.style(one, "minHeight", `${heights[k]}px`)); // a shorter text moves nothing below the finger
  Object.values(texts).forEach((said, k) => {
    const leaves = holders[k]?.querySelectorAll(LEAVES) ?? [];
    said.forEach((text, n) => leaves[n] && moved.write(leaves[n], text, knob.ink));
  });
  for (const [key, figure] of Object.entries(figures)) {
    const drawn = byKey(key)?.querySelector(".js-plotly-plot");
    if (drawn?._fullLayout) moveFigure(drawn, figure, moved);
  }
}

// What is moved on a page that belongs to Streamlit: how it was before, so that it can be put back. A text is shown in a
// copy beside it while the original is hidden, for React must find its own as it left it.
class Moved {
  before = new Map(); // by element and name of a property: what it is now, and what puts it back
  copies = new Map(); // by the original
  figures = new Map(); // by the drawn figure: the state that it was moved to last

  set(element, name, value) {
    this.change(element, name, value, () => element.getAttribute(name), (to) =>
      to === null ? element.removeAttribute(name) : element.setAttribute(name, to));
  }

  style(element, name, value) {
    if (element) this.change(element, `style ${name}`, value, () => element.style[name], (to) => (element.style[name] = to));
  }

  content(element, nodes) {
    this.change(element, "content", nodes, () => [...element.childNodes], (to) => element.replaceChildren(...to));
  }

  has(element, name) {
    return this.before.get(element)?.has(name) ?? false;
  }

  change(element, name, value, now, put) {
    const known = this.before.get(element) ?? this.before.set(element, new Map()).get(element);
    if (!known.has(name)) {
      const was = now();
      known.set(name, { value: was, back: () => put(was) });
    }
    const last = known.get(name);
    if (last.value !== value) put((last.value = value));
  }

  // Another text in the place of the page's, that looks as its own.
  write(original, text, ink) {
    let copy = this.copies.get(original);
    if (!copy) {
      copy = original.cloneNode(false);
      copy.removeAttribute("id");
      copy.classList.add(COPY);
      original.after(copy);
      this.style(original, "display", "none");
      this.copies.set(original, copy);
    }
    if (copy.said === text) return;
    copy.said = text;
    const kind = text.includes("-badge[") ? null : [...original.querySelectorAll(".stMarkdownBadge")].at(-1);
    const made = kind ? [...marked(`${text} `, ink), kind.cloneNode(true)] : marked(text, ink); // the kind of a number stays
    const had = [...copy.childNodes];
    if (made.length !== had.length || made.some((one, k) => one.nodeName !== had[k].nodeName)) return copy.replaceChildren(...made);
    made.forEach((one, k) => { // words in the place of words: less to lay out anew
      if (one.nodeType === Node.TEXT_NODE) had[k].data = one.data;
      else if (one.textContent !== had[k].textContent) had[k].replaceWith(one);
    });
  }

  // Everything as it was; or without figures: the server has answered, and new ones take the place of those moved.
  back(withFigures = true) {
    for (const [element, known] of this.before)
      if (withFigures || !(element instanceof SVGElement)) for (const { back } of known.values()) back();
    for (const copy of this.copies.values()) copy.remove();
    for (const known of [this.before, this.copies, this.figures]) known.clear();
  }
}

function marked(text, ink) {
  return text.split(MARKS).map((part) => {
    if (part.startsWith("**")) return node("strong", "", part.slice(2, -2));
    const [, color, words] = part.match(/^:(\w+)-badge\[(.+)\]$/) ?? [];
    if (!words) return document.createTextNode(part.replace(/\\(.)/g, "$1"));
    const made = node("span", "stMarkdownBadge", words);
    Object.assign(made.style, { color: ink(`${color}-text`), backgroundColor: ink(`${color}-background`), fontSize: "0.875rem" });
    return made;
  });
}
