// The request as a command for a shell: with what was filled in, and names in capitals for what was not.
import { segment } from "../../api/address.ts";
import { asked, fillPath, keyOf, type Draft } from "./draft.ts";
import { fieldsOf } from "./read-value.ts";
import type { Operation } from "./reference.ts";

export function curlCommand(operation: Operation, draft: Draft): string {
  const { method, scope, body } = operation;
  const type = body?.media.type;
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$PROCTOR_URL${fillPath(operation.path, place)}${query()}"`,
  ];
  if (scope !== undefined) parts.push(`-H "Authorization: Bearer $PROCTOR_TOKEN"`);
  if (isStream(operation, draft)) parts.push(`-N -H "Accept: text/event-stream"`);
  for (const parameter of asked(operation).filter(({ in: where }) => where === "header")) {
    const value = draft.values[keyOf(parameter)];
    if (value !== undefined && value !== "")
      parts.push(`-H ${quoted(`${parameter.name}: ${headerText(value)}`)}`);
  }
  if (type === "application/json" && draft.body !== undefined) {
    parts.push(`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(draft.body, null, 2))}`);
  }
  if (type === "multipart/form-data") {
    const fields = Object.entries({ ...fieldsOf(body?.media.example), ...fieldsOf(draft.body) });
    parts.push(...fields.map(([name, value]) => `-F ${quoted(`${name}=${String(value)}`)}`));
  }
  if (type === "application/octet-stream") {
    parts.push(
      `-H "Content-Type: application/octet-stream"`,
      `--data-binary ${quoted(`@${draft.files[""]?.name ?? "report.pdf"}`)}`,
    );
  }
  return parts.join(" \\\n  ");

  function place(name: string): string {
    return encoded(draft.values[`path:${name}`], name);
  }

  function query(): string {
    const given = asked(operation)
      .filter(({ in: where }) => where === "query")
      .filter((parameter) => parameter.required || isGiven(draft.values[keyOf(parameter)]))
      .map(
        (parameter) =>
          `${segment(parameter.name)}=${encoded(draft.values[keyOf(parameter)], parameter.name)}`,
      );
    return given.length === 0 ? "" : `?${given.join("&")}`;
  }
}

/** Whether the answer is an event stream, because it always is or because it was asked for. */
export function isStream({ answers }: Operation, { stream }: Draft): boolean {
  const types = answers.find(({ status }) => status === "200")?.media.map(({ type }) => type) ?? [];
  return stream || (types.length === 1 && types[0] === "text/event-stream");
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);
}

/** Returns a value encoded so that a shell takes it literally between double quotes, or its name as a variable. */
function encoded(value: unknown, name: string): string {
  if (!isGiven(value)) return `$${name.toUpperCase()}`;
  const text = Array.isArray(value) ? value.map(String).join(",") : String(value);
  return segment(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function headerText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
