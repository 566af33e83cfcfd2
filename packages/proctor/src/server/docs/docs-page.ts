// The OpenAPI document as a page to read. It loads nothing from elsewhere, so it works offline, prints, and can be read without its script.
import type { OpenApiDocument } from "../openapi.ts";
import { escapeHtml, prose } from "./html.ts";
import { findText, operationCard, type Operation } from "./operation-card.ts";
import { page } from "./page.ts";
import { fieldList, typeName } from "./schema-html.ts";
import { SCRIPT } from "./script.ts";

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
<label class="filter" hidden>Filter <input id="filter" type="search" placeholder="post runs, cancel, …"></label>
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
<p>For programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1). The examples ask this hub; names in capitals, such as <code>$ID</code>, are yours to fill in:</p>
<pre class="copy"><code>export PROCTOR_URL=<span class="this-hub">http://127.0.0.1:3001</span></code></pre>
${groups
  .map(
    (group) => `<section class="group" id="${anchor(group.name)}">
<h2>${escapeHtml(group.name)}</h2>
<p class="quiet">${prose(group.description)}</p>
${group.operations.map((operation) => operationCard(operation, document.components.schemas)).join("\n")}
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
  return page(`${document.info.title} API`, body, SCRIPT);
}

function navGroup(name: string, operations: readonly Operation[]): string {
  const items = operations.map(
    (operation) =>
      `<li><a href="#${operation.operationId}" data-find="${findText(operation)}">${escapeHtml(operation.summary)}</a></li>`,
  );
  return `<a class="group" href="#${anchor(name)}">${escapeHtml(name)}</a><ul>${items.join("")}</ul>`;
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
}
