// One exchange with an agent over HTTP, as a recording has it: the request, the head of the answer, and then either its frames
// or its body as a whole.
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import type { SseMessage } from "../../../channels/sse/parse-sse.ts";
import { noteBody, noteEnd, noteFrame, noteHead } from "../../http-notes.ts";
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
  let sizeBytes = 0;
  let framed = false;
  tap.sent("request", content, { name: door.name });

  return {
    answered(head) {
      framed = /^text\/event-stream\b/i.test(head.headers["content-type"] ?? "") && head.status < 300;
      noteHead(tap, head);
    },
    frame: (frame, lossy) => noteFrame(tap, frame, lossy),
    chunk(bytes) {
      if (framed) return;
      const fits = sizeBytes + bytes.length <= MAX_BODY_BYTES;
      if (fits) chunks.push(bytes);
      else if (sizeBytes <= MAX_BODY_BYTES) chunks = [Buffer.concat([...chunks, bytes], HEAD_BYTES)];
      sizeBytes += bytes.length;
    },
    ended(trouble) {
      if (framed) noteEnd(tap, trouble);
      else noteBody(tap, { bytes: Buffer.concat(chunks), sizeBytes, trouble });
    },
  };
}
