// One operation of the reference: what it takes, what it answers, and how it is asked with curl.
import type { OperationObject, ParameterObject, ResponseObject, SchemaObject } from "../openapi.ts";
import { exampleAnswer } from "./example-answer.ts";
import { escapeHtml, prose } from "./html.ts";
import { fieldList, typeName } from "./schema-html.ts";

export interface Operation extends OperationObject {
  method: string;
  path: string;
}

/** The text that the filter searches, in lower case. */
export function findText({ method, path, operationId, summary }: Operation): string {
  return escapeHtml(`${method} ${path} ${operationId} ${summary}`.toLowerCase());
}

export function operationCard(operation: Operation, schemas: Readonly<Record<string, SchemaObject>>): string {
  const { method, path, operationId, summary, description, parameters = [], requestBody } = operation;
  const form = requestBody?.content["multipart/form-data"];
  const body = requestBody?.content["application/json"] ?? form;
  const socket = operation["x-websocket"];
  return `<details class="operation" data-find="${findText(operation)}">
<summary><span class="method ${method}">${method.toUpperCase()}</span> <code class="path">${escapeHtml(path)}</code> <span class="what">${escapeHtml(summary)}</span></summary>
<div class="body" id="${operationId}">
${description === undefined ? "" : `<p>${prose(description)}</p>`}
${parameters.length === 0 ? "" : `<h3>Parameters</h3><ul class="fields">${parameters.map(parameterItem).join("")}</ul>`}
${body === undefined ? "" : `<h3>Body${requestBody?.required === true ? "" : ", optional"}</h3><p>${typeName(body.schema)}</p>${form ? fieldList(body.schema) : ""}`}
${socket === undefined ? "" : `<h3>Messages</h3><p>A client sends ${typeName(socket.sends)}, and hears ${typeName(socket.hears)}.</p>`}
<h3>Responses</h3>
<ul class="fields responses">${Object.entries(operation.responses).map(responseItem).join("")}</ul>
${socket === undefined ? `<h3>Example</h3>\n<pre class="copy"><code>${escapeHtml(curl(operation))}</code></pre>` : ""}
${answerBlock(operation, schemas)}
</div>
</details>`;
}

/** The first answer that has JSON and is no refusal. */
function answerBlock({ responses }: Operation, schemas: Readonly<Record<string, SchemaObject>>): string {
  const [status, response] =
    Object.entries(responses).find(
      ([key, { content }]) => Number(key) < 400 && content?.["application/json"],
    ) ?? [];
  const media = response?.content?.["application/json"];
  if (media === undefined) return "";
  const text = JSON.stringify(exampleAnswer(media, schemas), null, 2);
  return `<h3>Answer, ${status}</h3>\n<pre>${escapeHtml(text)}</pre>`;
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
  const bodies = Object.entries(content).map(([type, { schema, "x-itemSchema": frame }]) => {
    if (frame !== undefined) return `<code>${escapeHtml(type)}</code> of ${typeName(frame)}`;
    return type === "application/json" ? typeName(schema) : `<code>${escapeHtml(type)}</code>`;
  });
  const extra = Object.entries(headers).map(
    ([name, header]) => `<p><code>${escapeHtml(name)}</code> ${prose(header.description)}</p>`,
  );
  return `<li><div class="field"><span class="status">${status}</span> ${prose(description)} <span class="type">${bodies.join(", ")}</span></div>${extra.join("")}</li>`;
}

/** Escapes text for a shell, between single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", String.raw`'\''`);
}

function curl({ method, path, parameters = [], requestBody, responses }: Operation): string {
  // curl would read a name in braces as a list.
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const needed = parameters.filter(({ in: where, required }) => where === "query" && required);
  const query = needed.map(({ name }, index) => `${index === 0 ? "?" : "&"}${name}=$${name.toUpperCase()}`);
  const parts = [
    `curl${method === "get" ? "" : ` -X ${method.toUpperCase()}`} "$PROCTOR_URL${place}${query.join("")}"`,
  ];
  const { "application/json": json, "multipart/form-data": form } = requestBody?.content ?? {};
  if (form) parts.push(...Object.entries(form.example ?? {}).map(([name, value]) => `-F "${name}=${value}"`));
  else if (json?.example !== undefined) {
    parts.push(
      `-H "Content-Type: application/json"`,
      `-d '${quoted(JSON.stringify(json.example, null, 2))}'`,
    );
  } else if (requestBody && !json) {
    parts.push(`-H "Content-Type: application/octet-stream"`, `--data-binary @report.pdf`);
  }
  const types = Object.keys(responses["200"]?.content ?? {});
  if (types.length === 1 && types[0] === "text/event-stream") parts.push("-N");
  return parts.join(" \\\n  ");
}
