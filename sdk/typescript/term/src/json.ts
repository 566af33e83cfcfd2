// JSON as values, and short quotations of text for messages.
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Quotes the first `size` characters of a text. */
export const excerpt = (text: string, size = 200): string =>
  JSON.stringify(text.length <= size ? text : `${text.slice(0, size)}…`);
