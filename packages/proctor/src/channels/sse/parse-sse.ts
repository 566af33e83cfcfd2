// Reads an event stream, cut into chunks anywhere, by the rules of WHATWG HTML, "Interpreting an event stream".
import { createByteBuffer } from "../lines/byte-buffer.ts";
import { asBuffer } from "../lines/decode-text.ts";
import { splitBreaks } from "./split-breaks.ts";

export type SseMessage =
  | {
      kind: "message";
      /** "message" when the frame named none. */
      event: string;
      data: string;
      /** The last id the stream gave, by this message or an earlier one; empty when there was none. */
      id: string;
    }
  /** A comment, sent to keep the connection open. */
  | { kind: "comment"; text: string }
  | { kind: "retry"; retryMs: number }
  /** A message over the limit, reported as soon as it is; its rest is skipped and the stream goes on after it. */
  | { kind: "oversized"; event: string; id: string; limitBytes: number };

export interface SseParser {
  /** The messages that this chunk completed. */
  push(chunk: Uint8Array): SseMessage[];
  /** A message that was not finished by a blank line is discarded. */
  end(): SseMessage[];
  /** The message that `end` would discard, for readers that want it. */
  unfinished(): SseMessage[];
}

export interface SseParserOptions {
  /** Limit of one message in bytes; 10 MB when absent. */
  maxMessageBytes?: number;
}

const DEFAULT_MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);
const DIGITS = /^[0-9]+$/;

export function createSseParser(options: SseParserOptions = {}): SseParser {
  const limitBytes = options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES;
  const partial = createByteBuffer();
  let firstLine = true;
  let skipping = false;
  /** A line of an oversized message has begun, so the next break does not make a blank line. */
  let skippedLine = false;
  let event = "";
  let data: string[] = [];
  let dataBytes = 0;
  let lastId = "";
  let messages: SseMessage[] = [];

  function forget(): void {
    event = "";
    data = [];
    dataBytes = 0;
    skipping = false;
  }

  function dispatch(): void {
    if (data.length > 0) {
      messages.push({ kind: "message", event: event || "message", data: data.join("\n"), id: lastId });
    }
    forget();
  }

  function readField(name: string, value: string, lineBytes: number): void {
    if (name === "data") {
      data.push(value);
      dataBytes += lineBytes;
    } else if (name === "event") {
      event = value;
    } else if (name === "id") {
      if (!value.includes("\0")) lastId = value;
    } else if (name === "retry" && DIGITS.test(value) && Number.isSafeInteger(Number(value))) {
      messages.push({ kind: "retry", retryMs: Number(value) });
    }
  }

  function readLine(bytes: Buffer): void {
    const start = firstLine && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
    firstLine = false;
    if (start === bytes.length) return dispatch();
    const line = bytes.toString("utf8", start);
    const colon = line.indexOf(":");
    if (colon === -1) return readField(line, "", bytes.length);
    const value = line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (colon === 0) messages.push({ kind: "comment", text: value });
    else readField(line.slice(0, colon), value, bytes.length);
  }

  /** Takes a piece of a line. False when it is not to be kept. */
  function fits(piece: Buffer): boolean {
    if (!skipping && dataBytes + partial.length + piece.length > limitBytes) {
      messages.push({ kind: "oversized", event: event || "message", id: lastId, limitBytes });
      forget();
      skipping = true;
      skippedLine = partial.length > 0;
      firstLine = false;
      partial.clear();
    }
    if (skipping && piece.length > 0) skippedLine = true;
    return !skipping;
  }

  function endLine(piece: Buffer): void {
    if (!fits(piece)) {
      if (!skippedLine) forget();
      skippedLine = false;
    } else if (partial.length === 0) {
      readLine(piece);
    } else {
      partial.append(piece);
      readLine(partial.view());
      partial.clear();
    }
  }

  function holdLine(piece: Buffer): void {
    if (piece.length > 0 && fits(piece)) partial.append(piece);
  }

  const split = splitBreaks(endLine, holdLine);

  return {
    push(chunk) {
      messages = [];
      split(asBuffer(chunk));
      return messages;
    },
    unfinished() {
      messages = [];
      if (skipping) return [];
      if (partial.length > 0) readLine(partial.view());
      partial.clear();
      dispatch();
      return messages;
    },
    end() {
      forget();
      partial.clear();
      return [];
    },
  };
}
