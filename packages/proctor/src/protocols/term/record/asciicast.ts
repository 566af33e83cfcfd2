// The terminal session as an asciicast v2 file, which players show as it was. Of commands that went to a shell without a screen, the
// prompt and the echo are made up; what came from a screen is as it came.
import { StringDecoder } from "node:string_decoder";

export interface Asciicast {
  /** Marks the next step, so that players can jump to it. The mark has a number and no words, of which a part could be a part of a secret. */
  step(): void;
  /** Records a command as if it were typed at a prompt. */
  command(cwd: string, command: string): void;
  /** Records output of the command as it comes: lines without a carriage return. */
  output(piece: Uint8Array): void;
  text(text: string): void;
  /** Notes the bytes of the output that are not in the recording. */
  leftOut(bytes: number): void;
  /** Records output that was sent to a screen. */
  raw(piece: Uint8Array): void;
  /** Returns the whole file; undefined when nothing happened. */
  finish(): Uint8Array | undefined;
}

export interface AsciicastOptions {
  columns: number;
  rows: number;
  title: string;
  /** Start of the session, in milliseconds since 1970. */
  startedAt: number;
  /** Returns a clock in milliseconds, from any point in time. */
  now: () => number;
  maxBytes?: number;
}

const MAX_BYTES = 8 * 1024 * 1024;
const TITLE_CHARS = 200;
const FULL = "\r\n[proctor] the recording ends here: it is full\r\n";

export function createAsciicast(options: AsciicastOptions): Asciicast {
  const { columns, rows, title, startedAt, now, maxBytes = MAX_BYTES } = options;
  const beganAt = now();
  const header = {
    version: 2,
    width: columns,
    height: rows,
    timestamp: Math.floor(startedAt / 1000),
    title: title.slice(0, TITLE_CHARS),
    env: { SHELL: "/bin/bash", TERM: "xterm-256color" },
  };
  const lines: string[] = [];
  let bytes = JSON.stringify(header).length;
  let full = false;
  let atLineStart = true;
  let steps = 0;
  let decoder: StringDecoder | undefined;

  function write(data: string): void {
    if (full || data === "") return;
    atLineStart = data.endsWith("\n");
    add(data);
  }

  function add(data: string, code = "o"): void {
    const line = `[${Math.round((now() - beganAt) * 1000) / 1_000_000},"${code}",${JSON.stringify(data)}]`;
    const size = Buffer.byteLength(line) + 1;
    if (bytes + size > maxBytes - FULL.length - 64 && data !== FULL) {
      add(FULL);
      full = true;
      return;
    }
    bytes += size;
    lines.push(line);
  }

  /** Decodes text; half a character waits for its other half. */
  function decode(piece: Uint8Array): string {
    return (decoder ??= new StringDecoder("utf8")).write(
      Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength),
    );
  }

  function flush(): string {
    const rest = decoder?.end() ?? "";
    decoder = undefined;
    return rest;
  }

  return {
    step() {
      steps++;
      if (!full) add(`Step ${steps}`, "m");
    },
    command(cwd, command) {
      const before = flush() + (atLineStart ? "" : "\r\n");
      write(`${before}\u001b[1m${cwd}$\u001b[0m ${withReturns(command)}\r\n`);
    },
    output: (piece) => write(withReturns(decode(piece))),
    text: (text) => write(withReturns(text)),
    leftOut: (count) => write(`${flush()}\r\n[proctor] ${count} more bytes\r\n`),
    raw: (piece) => write(decode(piece)),
    finish() {
      write(flush());
      if (lines.length === 0) return undefined;
      return Buffer.from(`${JSON.stringify(header)}\n${lines.join("\n")}\n`);
    },
  };
}

function withReturns(text: string): string {
  return text.includes("\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;
}
