// JSON as values, and short quotations of what is none.
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** For messages. */
export const excerpt = (text: string, size = 200): string =>
  JSON.stringify(text.length <= size ? text : `${text.slice(0, size)}…`);
