// A recording in the place of the HTTP server that an agent is, or stands behind: each request gets the next recorded answer.
import type { HttpBody } from "../channels/http/body.ts";
import type { HttpClient } from "../channels/http/client.ts";
import type { Exchange } from "../channels/http/exchange.ts";
import { CLOSED, type HttpTrouble, type TroubleKind } from "../channels/http/trouble.ts";
import { encodeSse } from "../runtime/http/encode-sse.ts";
import { isJsonObject } from "../core/json.ts";
import type { RecordedMessage } from "../core/recording.ts";
import type { Script } from "./recorded-script.ts";

export function createRecordedClient(script: Script): Pick<HttpClient, "post"> {
  return {
    async post(_message, signal): Promise<Exchange> {
      let first = await script.next();
      // Skips the rest of the answer before this one.
      while (first !== undefined && first.channel !== "head" && troubleOf(first) === undefined) {
        first = await script.next();
      }
      if (first?.channel === "head" && !signal.aborted) {
        const headers = headersOf(first);
        return {
          kind: "answered",
          answer: { status: first.status ?? 0, headers, body: playBody(script, signal) },
        };
      }
      if (first === undefined) script.unfinished = true;
      const trouble = first === undefined || signal.aborted ? CLOSED : troubleOf(first);
      return { kind: "failed", trouble: trouble ?? CLOSED, stale: false };
    },
  };
}

function playBody(script: Script, signal: AbortSignal): HttpBody {
  let pieces: Generator<Buffer> | undefined;
  let trouble: HttpTrouble | undefined;

  async function read(): Promise<Buffer | undefined> {
    for (;;) {
      const piece = pieces?.next();
      if (piece?.done === false) return piece.value;
      const message = await script.peek();
      if (signal.aborted || message === undefined) {
        if (!signal.aborted) script.unfinished = true;
        trouble = CLOSED;
        return undefined;
      }
      // The head of another answer: this one was left, with all that mattered.
      if (message.channel === "head") return undefined;
      await script.next();
      if (message.channel === "close") {
        trouble = troubleOf(message);
        return undefined;
      }
      pieces = bytesOf(message);
    }
  }

  return {
    read,
    get trouble() {
      return trouble;
    },
    release() {},
    close() {},
  };
}

const PIECE = 64 * 1024;

function* bytesOf(message: RecordedMessage): Generator<Buffer> {
  const { channel, text, name, id, dropped_bytes: dropped = 0 } = message;
  if (channel !== "sse") {
    yield encode(message, text);
    for (let left = dropped; left > 0; left -= PIECE) yield Buffer.alloc(Math.min(left, PIECE), " ");
    return;
  }
  const frame = { ...(name !== undefined && name !== "message" && { event: name }), ...(id && { id }) };
  if (dropped === 0) return yield encode(message, encodeSse({ ...frame, data: text }));
  // The frame was too long to be recorded, and so to be read: this repeats its beginning until it is too long again.
  yield Buffer.from(encodeSse(frame).trimEnd() + "\ndata: ");
  for (let left = dropped + 1; left > 0; left -= PIECE) yield Buffer.alloc(PIECE, "x");
  yield Buffer.from("\n\n");
}

const REPLACED = "\uFFFD";

/** Encodes bytes that are not text where the recording had such bytes. */
function encode({ encoding }: RecordedMessage, text: string): Buffer {
  if (encoding !== "lossy") return Buffer.from(text);
  const marked = text.includes(REPLACED) ? text : `:${REPLACED}\n${text}`;
  const parts = marked.split(REPLACED).flatMap((part, index) => {
    return index === 0 ? [Buffer.from(part)] : [Buffer.of(0xff), Buffer.from(part)];
  });
  return Buffer.concat(parts);
}

function headersOf({ text, content_type }: RecordedMessage): Record<string, string> {
  let others: unknown;
  try {
    others = JSON.parse(text);
  } catch {
    others = {};
  }
  const known = Object.entries(isJsonObject(others) ? others : {}).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    ...Object.fromEntries(known),
    ...(content_type !== undefined && { "content-type": content_type }),
  };
}

const KINDS: readonly TroubleKind[] = ["unsendable", "unreachable", "tls", "lost", "malformed", "closed"];

/** Returns the recorded trouble; undefined for an answer that was complete. */
function troubleOf({ channel, name, id = "", text }: RecordedMessage): HttpTrouble | undefined {
  const kind = channel === "close" ? KINDS.find((known) => known === name) : undefined;
  return kind && { kind, code: id, message: text };
}
