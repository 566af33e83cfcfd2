// The OpenAPI document as a page to read. No script and nothing from elsewhere: it works offline and prints.
import type { OpenApiDocument, OperationObject, ParameterObject, ResponseObject } from "../openapi.ts";
import { escapeHtml, prose } from "./html.ts";
import { page } from "./page.ts";
import { fieldList, typeName } from "./schema-html.ts";

interface Operation extends OperationObject {
  method: string;
  path: string;
}

export function docsPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => ({ ...operation, method, path })),
  );
  const groups = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter((operation) => operation.tags.includes(tag.name)),
  }));
  const schemas = Object.entries(document.components.schemas);
  const body = `<div class="page">
<nav aria-label="Contents">
<a class="brand" href="#top">${escapeHtml(document.info.title)}</a>
<p class="quiet">${escapeHtml(document.info.version)}</p>
${groups.map((group) => navGroup(group.name, group.operations)).join("\n")}
<a class="group" href="#schemas">Schemas</a>
<ul>${schemas.map(([name]) => `<li><a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a></li>`).join("")}</ul>
</nav>
<main id="top">
<h1>${escapeHtml(document.info.title)} API</h1>
<p class="quiet">${prose(document.info.summary)}</p>
${document.info.description
  .split("\n\n")
  .map((paragraph) => `<p>${prose(paragraph)}</p>`)
  .join("\n")}
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${groups
  .map(
    (group) => `<section id="${anchor(group.name)}">
<h2>${escapeHtml(group.name)}</h2>
<p class="quiet">${prose(group.description)}</p>
${group.operations.map(operationCard).join("\n")}
</section>`,
  )
  .join("\n")}
<section id="schemas">
<h2>Schemas</h2>
${schemas
  .map(
    ([name, schema]) => `<div class="schema" id="schema-${escapeHtml(name)}">
<h3>${escapeHtml(name)}</h3>
${typeof schema["description"] === "string" ? `<p class="quiet">${prose(schema["description"])}</p>` : ""}
${fieldList(schema) || `<p>${typeName(schema)}</p>`}
</div>`,
  )
  .join("\n")}
</section>
</main>
</div>`;
  return page(`${document.info.title} API`, body);
}

function navGroup(name: string, operations: readonly Operation[]): string {
  const items = operations.map(
    ({ operationId, summary }) => `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`,
  );
  return `<a class="group" href="#${anchor(name)}">${escapeHtml(name)}</a><ul>${items.join("")}</ul>`;
}

function operationCard(operation: Operation): string {
  const {
    method,
    path,
    operationId,
    summary,
    description,
    parameters = [],
    requestBody,
    responses,
  } = operation;
  const form = requestBody?.content["multipart/form-data"];
  const body = requestBody?.content["application/json"] ?? form;
  return `<details class="operation">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${escapeHtml(path)}</code> <span class="what">${escapeHtml(summary)}</span></summary>
<div class="body" id="${operationId}">
${description === undefined ? "" : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? "" : `<h3>Parameters</h3><ul class="fields">${parameters.map(parameterItem).join("")}</ul>`}
${body?.schema === undefined ? "" : `<h3>Body${requestBody?.required === true ? "" : ", optional"}</h3><p>${typeName(body.schema)}</p>${form ? fieldList(body.schema) : ""}`}
<h3>Responses</h3>
<ul class="fields responses">${Object.entries(responses).map(responseItem).join("")}</ul>
<h3>Example</h3>
<pre>${escapeHtml(curl(method, path, body?.example, form !== undefined))}</pre>
</div>
</details>`;
}

function parameterItem({ name, in: place, schema, description, required }: ParameterObject): string {
  return `<li><div class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">in ${place}, ${typeName(schema)}</span>${
    required ? ' <span class="required">required</span>' : ""
  }</div>${description === undefined ? "" : `<p>${prose(description)}</p>`}</li>`;
}

function responseItem([status, { description, content = {}, headers = {} }]: [
  string,
  ResponseObject,
]): string {
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    schema === undefined
      ? `<code>${escapeHtml(type)}</code>`
      : type === "text/event-stream"
        ? `<code>${type}</code> of ${typeName(schema)}`
        : typeName(schema),
  );
  const extra = Object.entries(headers).map(
    ([name, header]) => `<p><code>${escapeHtml(name)}</code> ${prose(header.description)}</p>`,
  );
  return `<li><div class="field"><span class="status">${status}</span> ${prose(description)} <span class="type">${bodies.join(", ")}</span></div>${extra.join("")}</li>`;
}

function curl(method: string, path: string, example: unknown, isForm: boolean): string {
  const parts = [`curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "$PROCTOR_URL${path}"`];
  if (isForm) parts.push(...Object.entries(example ?? {}).map(([name, value]) => `-F "${name}=${value}"`));
  else if (example !== undefined) {
    parts.push(`-H "Content-Type: application/json"`, `-d '${JSON.stringify(example, null, 2)}'`);
  }
  return parts.join(" \\\n  ");
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
