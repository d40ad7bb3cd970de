// Elements that the parts are made of, and numbers as they are written. Texts are set as texts, never as markup.

export const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 6 }).format; // a limit may be below 1

export function node(tag, kind, text, attributes = {}) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// An entry of a legend: a dot of the ink of this kind, and what it stands for.
export function key(kind, text) {
  const made = node("span", "key", text);
  made.prepend(node("i", kind, ""));
  return made;
}

export function shape(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function label(x, y, text, anchor, kind = "") {
  const made = shape("text", { x, y, "text-anchor": anchor, class: kind });
  made.textContent = text;
  return made;
}
