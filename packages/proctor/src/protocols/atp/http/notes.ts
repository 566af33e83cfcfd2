// One exchange with an agent over HTTP, as a recording has it: the request, the head of the answer, and then either its frames
// or its body as a whole.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import { wholeCharacters } from "../../../channels/lines/decode-text.ts";
import type { SseMessage } from "../../../channels/sse/parse-sse.ts";
import type { WireTap } from "../../wire-tap.ts";
import type { Door } from "./doors.ts";

export interface Notes {
  answered(head: Omit<HttpAnswer, "body">): void;
  frame(frame: SseMessage, lossy: boolean): void;
  chunk(bytes: Buffer): void;
  ended(trouble: HttpTrouble | undefined): void;
}

const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** Bytes that are kept of a larger body, which cannot be a response. */
const HEAD_BYTES = 8 * 1024;

export function createNotes(tap: WireTap, door: Door, content: string): Notes {
  let chunks: Buffer[] = [];
  let size = 0;
  let framed = false;
  tap.sent("request", content, { name: door.name });

  function noteBody(): void {
    if (framed || size === 0) return;
    const bytes = Buffer.concat(chunks);
    const kept = size > bytes.length ? wholeCharacters(bytes) : bytes.length;
    const text = bytes.toString("utf8", 0, kept);
    tap.received("body", text, {
      ...(size > kept && { dropped_bytes: size - kept }),
      ...(!isUtf8(bytes.subarray(0, kept)) && { encoding: "lossy" }),
    });
  }

  return {
    answered({ status, headers }) {
      const type = headers["content-type"];
      framed = /^text\/event-stream\b/i.test(type ?? "") && status < 300;
      const others = {
        "content-encoding": headers["content-encoding"],
        "content-length": headers["content-length"],
        // The origin only: a path or a query may hold a key.
        location: originOf(headers.location),
      };
      tap.received("head", JSON.stringify(others), {
        status,
        ...(type !== undefined && { content_type: type }),
      });
    },
    frame(frame, lossy) {
      const more = lossy ? ({ encoding: "lossy" } as const) : {};
      if (frame.kind === "oversized") {
        tap.received("sse", "", {
          name: frame.event,
          id: frame.id,
          dropped_bytes: frame.limitBytes,
          ...more,
        });
      } else if (frame.kind === "message") {
        tap.received("sse", frame.data, { name: frame.event, id: frame.id, ...more });
      }
    },
    chunk(bytes) {
      if (framed) return;
      const fits = size + bytes.length <= MAX_BODY_BYTES;
      if (fits) chunks.push(bytes);
      else if (size <= MAX_BODY_BYTES) chunks = [Buffer.concat([...chunks, bytes], HEAD_BYTES)];
      size += bytes.length;
    },
    ended(trouble) {
      noteBody();
      if (trouble === undefined) tap.received("close", "", { name: "end" });
      else tap.received("close", trouble.message, { name: trouble.kind, id: trouble.code });
    },
  };
}

function originOf(location: string | undefined): string | undefined {
  if (location === undefined) return undefined;
  return URL.canParse(location) ? new URL(location).origin : "/";
}
