// What a visitor filled in for an operation, and the request that comes of it.
import { segment, type Query } from "../../api/address.ts";
import type { RequestOptions } from "../../api/source.ts";
import type { Operation, Parameter } from "./reference.ts";

export interface Draft {
  /** Values of parameters, by `keyOf`. */
  values: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Files of a form, by field; the file of a body that is one, under the empty name. */
  files: Readonly<Record<string, File>>;
  /** Whether to ask for an event stream, where the operation has both. */
  stream: boolean;
}

export interface DraftRequest extends RequestOptions {
  path: string;
  headers: Record<string, string>;
}

export const keyOf = ({ in: place, name }: Parameter): string => `${place}:${name}`;

/** Parameters that are not filled in, because the token of this tab is sent as a header. */
const OWN = new Set(["query:access_token"]);

/** Returns the parameters that the visitor fills in. */
export function asked({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => !OWN.has(keyOf(parameter)));
}

/** Returns the names of what has to be given and is not. */
export function missing(operation: Operation, { values }: Draft): string[] {
  return asked(operation)
    .filter((parameter) => parameter.required && isEmpty(values[keyOf(parameter)]))
    .map(({ name }) => name);
}

export function toRequest(operation: Operation, draft: Draft): DraftRequest {
  const { body } = operation;
  const given = (place: string) =>
    asked(operation)
      .filter((parameter) => parameter.in === place && !isEmpty(draft.values[keyOf(parameter)]))
      .map((parameter) => [parameter.name, draft.values[keyOf(parameter)]] as const);
  const headers = Object.fromEntries(given("header").map(([name, value]) => [name, String(value)]));
  if (draft.stream) headers["accept"] = "text/event-stream";
  const type = body?.media.type;
  const file = draft.files[""];
  return {
    // The result is never anything but a path below the hub's own.
    path: `./${fillPath(operation.path, (name) => pathValue(draft, name)).replace(/^\/+/, "")}`,
    query: Object.fromEntries(given("query").map(([name, value]) => [name, queryValue(value)])),
    headers,
    ...(type === "application/json" && draft.body !== undefined && { body: draft.body }),
    ...(type === "multipart/form-data" && { bytes: toForm(draft) }),
    ...(type === "application/octet-stream" && file && { bytes: file }),
  };
}

export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
}

function pathValue({ values }: Draft, name: string): string {
  const value = values[`path:${name}`];
  return isEmpty(value) ? `{${name}}` : segment(String(value));
}

function queryValue(value: unknown): Query[string] {
  return Array.isArray(value) ? value.map(String) : String(value);
}

function toForm({ body, files }: Draft): FormData {
  const form = new FormData();
  if (typeof body === "object" && body !== null) {
    for (const [name, value] of Object.entries(body)) {
      if (!(name in files)) form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  for (const [name, file] of Object.entries(files)) form.set(name, file);
  return form;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
