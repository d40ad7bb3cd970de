// Elements that the parts are made of, and numbers as they are written. Texts are set as texts, never as markup. What is
// there already is changed where it differs: a new element takes the browser several times as long.

const SVG = "http://www.w3.org/2000/svg";

export const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 6 }).format; // a limit may be below 1

export function node(tag, kind, text, attributes = {}, made = document.createElement(tag)) {
  if (kind) made.className = kind;
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export const drawn = (tag, text, attributes) => node(tag, "", text, attributes, document.createElementNS(SVG, tag));

// An entry of a legend: a dot of the ink of this kind, and what it stands for.
export function key(kind, text) {
  const made = node("span", "key", text);
  made.prepend(node("i", kind, ""));
  return made;
}

export const shape = (name, attributes, text = "") => ({ name, attributes, text });

export const label = (x, y, text, anchor, kind = "") => shape("text", { x, y, "text-anchor": anchor, class: kind }, text);

// Have a picture consist of these shapes; those of one name have the same attributes.
export function arrange(svg, shapes) {
  const there = [...svg.children];
  shapes.forEach(({ name, attributes, text }, n) => {
    let one = there[n];
    if (one?.nodeName !== name) {
      one = drawn(name, "", {});
      one.shown = {};
      if (there[n]) there[n].replaceWith(one);
      else svg.append(one);
    }
    for (const key in attributes)
      if (one.shown[key] !== attributes[key]) one.setAttribute(key, (one.shown[key] = attributes[key]));
    say(one, text);
  });
  for (const one of there.slice(shapes.length)) one.remove();
}

// Another text in an element that has nothing else.
export function say(one, text) {
  if (!one.firstChild) one.textContent = text;
  else if (one.firstChild.data !== text) one.firstChild.data = text;
}

// What a screen reader calls a picture.
export const name = (one, text) => one.ariaLabel !== text && (one.ariaLabel = text);

const pen = document.createElement("canvas").getContext("2d");

// How wide a text is: measured on a canvas, which takes no layout of the page.
export function textWidth(text, font, spacing = "0px") {
  pen.font = font;
  pen.letterSpacing = spacing;
  return pen.measureText(text).width;
}
