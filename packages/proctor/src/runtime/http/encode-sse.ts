// Writes one frame of an event stream. WHATWG HTML, "Server-sent events".

export interface SseFrame {
  /** Id of the frame. Line breaks and NUL cannot be written in an id or an event name, and are left out. */
  id?: string;
  event?: string;
  /** Any text; its line breaks all arrive as \n. Without data the frame is not a message, only a comment or a retry time. */
  data?: string;
  /** Milliseconds after which a client that lost its connection reconnects; a whole number. */
  retry?: number;
  /** Text that readers ignore; it keeps the connection alive. */
  comment?: string;
}

const LINE_BREAK = /\r\n|\r|\n/;
// oxlint-disable-next-line no-control-regex -- NUL is what has to go
const UNWRITABLE = /[\r\n\0]/g;

export function encodeSse(frame: SseFrame): string {
  const { id, event, data, retry, comment } = frame;
  let text = "";
  if (comment !== undefined) text += field("", comment);
  if (retry !== undefined) text += `retry: ${wholeNumber(retry)}\n`;
  if (id !== undefined) text += `id: ${id.replace(UNWRITABLE, "")}\n`;
  if (event !== undefined) text += `event: ${event.replace(UNWRITABLE, "")}\n`;
  if (data !== undefined) text += field("data", data);
  return `${text}\n`;
}

function field(name: string, value: string): string {
  // Most data is one line of JSON; only data with line breaks pays for splitting.
  if (!value.includes("\n") && !value.includes("\r")) return `${name}: ${value}\n`;
  return value
    .split(LINE_BREAK)
    .map((line) => `${name}: ${line}\n`)
    .join("");
}

function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`retry is not whole milliseconds: ${value}`);
  return value;
}
