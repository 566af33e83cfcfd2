// The bytes of a file in a message: base64 as ProtoJSON's parsers take it, in either alphabet, with or without padding. Looked at only,
// never copied: there may be 10 MB of it.
import type { Reader } from "./reading.ts";

/** One class that repeats: a repeated group would overflow the stack on a file of some megabytes. */
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Text that is not base64 is kept where an answer is used as it came: its meaning cannot be guessed. */
export const base64: Reader = (value, reading) => {
  if (typeof value !== "string") return reading.wrongType("string", value);
  if (!isBase64(value)) reading.wrong("must be base64");
  return value;
};

export function isBase64(text: string): boolean {
  if (!BASE64.test(text)) return false;
  const padding = text.indexOf("=", Math.max(0, text.length - 2));
  return (padding === -1 ? text.length : padding) % 4 !== 1;
}
