// Elements from data; text is only ever text, never markup.
export function element(name, { data = {}, ...attributes } = {}, children = []) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== "") made.setAttribute(attribute, value);
  }
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

// A text of the document: paragraphs, `code` and *emphasis*, nothing else of Markdown.
export function prose(text) {
  const paragraphs = text.split(/\n\s*\n/).map((paragraph) => element("p", {}, inline(paragraph)));
  return element("div", { class: "prose" }, paragraphs);
}

export function inline(text) {
  return text.split(/(`[^`]+`|\*[^*\s][^*]*\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 1) return element("code", {}, [part.slice(1, -1)]);
    if (part.startsWith("*") && part.length > 2) return element("em", {}, [part.slice(1, -1)]);
    return part;
  });
}
