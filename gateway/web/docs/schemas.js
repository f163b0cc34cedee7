// JSON Schemas as lists that open field by field; a schema is only built when somebody opens it.
import { element, prose } from "./elements.js";

export function schemaView(name, schema, api, open = false, required = false) {
  const [found, title] = resolved(schema, api);
  const label = [
    ...(name ? [element("code", { class: required ? "required" : "" }, [name]), " "] : []),
    element("span", { class: "kind" }, [title ? `${title}: ${kind(found, api)}` : kind(found, api)]),
  ];
  const inner = parts(found, api);
  const text = schema.description ?? found.description;
  const said = text ? [prose(text)] : [];
  if (!inner.length) return element("div", { class: "leaf" }, [element("p", {}, label), ...said]);
  const box = element("details", open ? { open: "open" } : {}, [element("summary", {}, label), ...said]);
  const fill = () => box.append(...inner.map(([part, inside, needed]) => schemaView(part, inside, api, false, needed)));
  if (open) fill();
  else box.addEventListener("toggle", fill, { once: true });
  return box;
}

function resolved(schema, api) {
  let found = schema ?? {};
  let title = "";
  while (found.$ref) {
    title = found.$ref.split("/").pop();
    found = api.components.schemas[title] ?? {};
  }
  return [found, title];
}

// What a schema is made of: [name, schema, required] for fields, items and alternatives.
function parts(schema, api) {
  const fields = Object.entries(schema.properties ?? {}).map(([name, inside]) => [
    name,
    inside,
    schema.required?.includes(name) ?? false,
  ]);
  const choices = alternatives(schema).map((inside, index) => [`choice ${index + 1}`, inside, false]);
  const [item] = schema.items ? resolved(schema.items, api) : [undefined];
  const items = item && (item.properties || alternatives(item).length || item.items) ? [["each", schema.items, false]] : [];
  const values = typeof schema.additionalProperties === "object" ? [["any name", schema.additionalProperties, false]] : [];
  return [...fields, ...choices, ...items, ...values.filter(([, inside]) => Object.keys(inside).length)];
}

function alternatives(schema) {
  return [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
}

function kind(schema, api) {
  const types = [schema.type ?? (schema.properties ? "object" : [])].flat();
  if (schema.items) {
    const [item, title] = resolved(schema.items, api);
    types[types.indexOf("array")] = `array of ${title || kind(item, api)}`;
  }
  const said = [types.join(" or ") || (alternatives(schema).length ? "one of several" : "any value")];
  if (schema.format) said.push(schema.format);
  if ("const" in schema) said.push(`always ${JSON.stringify(schema.const)}`);
  if (schema.enum) said.push(schema.enum.map((value) => JSON.stringify(value)).join(" | "));
  if (schema.default !== undefined) said.push(`else ${JSON.stringify(schema.default)}`);
  said.push(...bounds(schema));
  return said.join(", ");
}

function bounds(schema) {
  const pairs = [
    ["minimum", "maximum", ""],
    ["minLength", "maxLength", " characters"],
    ["minItems", "maxItems", " items"],
  ];
  return pairs
    .filter(([low, high]) => schema[low] !== undefined || schema[high] !== undefined)
    .map(([low, high, unit]) => `${schema[low] ?? ""}…${schema[high] ?? ""}${unit}`);
}
