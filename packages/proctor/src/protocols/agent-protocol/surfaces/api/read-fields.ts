// Fields of a body, checked one by one. `null` counts as left out where the document marks a field as optional.
import { ProctorError } from "../../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";

export function optionalText(body: JsonObject, name: string, maxChars: number): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") throw wrongField(name, "must be a text");
  if (value.length > maxChars) throw wrongField(name, `must have at most ${maxChars} characters`);
  return value;
}

export function optionalObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw wrongField(name, "must be an object");
  return value;
}

export function optionalBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw wrongField(name, "must be true or false");
  return value;
}

export function wrongField(name: string, what: string): ProctorError {
  const message = `${name} ${what}`;
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path: name, message }] });
}
