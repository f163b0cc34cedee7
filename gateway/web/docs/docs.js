// The documentation page: reads the OpenAPI document and shows its operations by tag.
import { element, inline, prose } from "./elements.js";
import { schemaView } from "./schemas.js";

const METHODS = ["get", "post", "put", "patch", "delete"];

async function show() {
  const state = document.getElementById("state");
  let api;
  try {
    const answer = await fetch("/v1/openapi.json");
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    api = await answer.json();
  } catch (error) {
    state.textContent = `The document could not be read: ${error.message}. Reload the page to try again.`;
    return;
  }
  state.replaceWith(prose(api.info.description));
  const operations = listed(api);
  const contents = document.getElementById("contents");
  for (const tag of api.tags) {
    const own = operations.filter((operation) => operation.tags.includes(tag.name));
    contents.append(contentsOf(tag, own));
    document.getElementById("document").append(sectionOf(tag, own, api));
  }
  document.getElementById("filter").addEventListener("input", (event) => filter(event.target.value));
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function listed(api) {
  return Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({ path, method, ...item[method] })),
  );
}

function contentsOf(tag, operations) {
  const links = operations.map((operation) =>
    element("li", { data: { words: words(operation) } }, [
      element("a", { href: `#${operation.operationId}` }, [
        element("span", { class: "method" }, [operation.method.toUpperCase()]),
        element("span", {}, [operation.path]),
      ]),
    ]),
  );
  return element("div", { class: "group" }, [element("h2", {}, [tag.name]), element("ul", {}, links)]);
}

function sectionOf(tag, operations, api) {
  return element("section", { class: "group" }, [
    element("h2", {}, [tag.name]),
    prose(tag.description),
    ...operations.map((operation) => article(operation, api)),
  ]);
}

function article(operation, api) {
  const bearer = operation.security.length > 0;
  return element("article", { id: operation.operationId, data: { words: words(operation) } }, [
    element("h3", {}, [
      element("span", { class: "method" }, [operation.method.toUpperCase()]),
      element("a", { href: `#${operation.operationId}` }, [operation.path]),
      ...(bearer ? [element("span", { class: "token" }, ["signed in"])] : []),
    ]),
    ...[operation.summary, operation.description].filter(Boolean).map(prose),
    ...parameters(operation, api),
    ...body(operation, api),
    ...answers(operation, api),
  ]);
}

function parameters(operation, api) {
  if (!operation.parameters?.length) return [];
  const rows = operation.parameters.map((parameter) =>
    element("tr", {}, [
      element("td", {}, [
        element("code", { class: parameter.required ? "required" : "" }, [parameter.name]),
        element("span", { class: "kind" }, [` in ${parameter.in}`]),
      ]),
      element("td", {}, [schemaView("", parameter.schema, api), ...described(parameter)]),
    ]),
  );
  return [element("h4", {}, ["Parameters"]), element("table", {}, [element("tbody", {}, rows)])];
}

function body(operation, api) {
  const content = operation.requestBody?.content;
  if (!content) return [];
  return [element("h4", {}, ["Body"]), ...contentViews(content, api)];
}

function answers(operation, api) {
  const all = Object.entries(operation.responses).map(([status, answer]) => [status, named(answer, api)]);
  const view = ([status, answer]) => answerView(status, answer, api);
  const refusals = all.filter(([status]) => status >= "400");
  const label = ["Refusals ", element("span", { class: "kind" }, [refusals.map(([status]) => status).join(" ")])];
  return [
    element("h4", {}, ["Answers"]),
    ...all.filter(([status]) => status < "400").map(view),
    element("details", {}, [element("summary", {}, label), ...refusals.map(view)]),
  ];
}

// An answer that many operations share is written down once.
function named(answer, api) {
  return answer.$ref ? api.components.responses[answer.$ref.split("/").pop()] : answer;
}

function answerView(status, answer, api) {
  const label = [element("code", {}, [status]), " ", ...inline(answer.description ?? "")];
  if (!answer.content) return element("p", {}, label);
  return element("details", {}, [element("summary", {}, label), ...contentViews(answer.content, api)]);
}

function contentViews(content, api) {
  return Object.entries(content).map(([mediaType, { schema }]) =>
    element("div", { class: "fields" }, [
      element("p", { class: "kind" }, [mediaType]),
      ...(schema ? [schemaView("", schema, api, true)] : []),
    ]),
  );
}

function described(parameter) {
  return parameter.description ? [prose(parameter.description)] : [];
}

function words(operation) {
  const { method, path, operationId, summary = "", tags } = operation;
  return [method, path, operationId, summary, ...tags].join(" ").toLowerCase();
}

function filter(wanted) {
  const parts = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of document.querySelectorAll("[data-words]")) {
    item.hidden = !parts.every((part) => item.dataset.words.includes(part));
  }
  for (const group of document.querySelectorAll(".group")) {
    group.hidden = !group.querySelector("[data-words]:not([hidden])");
  }
}

show();
