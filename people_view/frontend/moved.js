// What is moved on a page that belongs to Streamlit: how it was before, so that it can be put back. A text is shown in a
// copy beside it while the original is hidden, for React must find its own as it left it.

import { node } from "./elements.js";

const COPY = "knob-copy";
const LEAVES = [ // that a text of the page is in: headings, paragraphs, small print, and the values of numbers
  "[data-heading-text]",
  "[data-testid=stMarkdown] [data-testid=stMarkdownContainer] > p",
  "[data-testid=stCaptionContainer] p",
  "[data-testid=stMetricValue] p",
].map((one) => `${one}:not(.${COPY})`).join();
const MARKS = /(\*\*.+?\*\*|:\w+-badge\[.+?\])/; // of the Markdown that sentences are written in

export class Moved {
  before = new Map(); // by element and name of a property: what puts it back
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

// Put these texts in the place of those in a container, in their order. ``ink`` is a colour of the page's theme.
export function write(container, texts, moved, ink) {
  const leaves = container?.querySelectorAll(LEAVES) ?? [];
  texts.forEach((text, k) => leaves[k] && moved.write(leaves[k], text, ink));
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
