// Strings on their way into a span: always valid Unicode, never longer than a collector wants.

/** Most bytes of names of agents, models, tools and the like. */
export const LABEL_BYTES = 256;
/** Most bytes of prompts, inputs, outputs and log texts. */
export const CONTENT_BYTES = 4096;

const CUT = "…";

/** Returns the beginning of a text in at most `maxBytes` bytes of UTF-8. Half a surrogate pair becomes U+FFFD. */
export function shortened(text: string, maxBytes: number): string {
  // A code unit is at least a byte: what is beyond can never be part of the result.
  const start = text.length > maxBytes ? text.slice(0, maxBytes + 1) : text;
  const whole = Buffer.from(start);
  if (whole.length <= maxBytes && start.length === text.length) return whole.toString();
  let end = Math.min(whole.length, maxBytes - Buffer.byteLength(CUT));
  while (end > 0 && isContinuation(whole[end])) end--;
  return whole.toString("utf8", 0, end) + CUT;
}

/** Returns the value if it can be a label, because agents may send anything where a name belongs. */
export function label(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = shortened(String(value), LABEL_BYTES);
  return text === "" ? undefined : text;
}

/** Returns any JSON as text: a string as it is, everything else as JSON. */
export function content(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === "string" ? value : jsonText(value);
  return text === undefined ? undefined : shortened(text, CONTENT_BYTES);
}

/** Returns undefined for a value that is nested more deeply than the stack allows. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
