// The frames of an event stream as JSON, with their ids. A stream that is cut throws; one that ends simply ends. Leaving the loop leaves
// the server.
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import { troubleFailure, type Asked } from "../../../channels/http/failures.ts";
import { createSseParser, type SseMessage } from "../../../channels/sse/parse-sse.ts";
import type { Json } from "../../../core/json.ts";
import { parseAny } from "../../http-refusal.ts";
import { logReport } from "../../reports.ts";
import { transportError, unusable } from "./transport-failure.ts";

export interface JsonFrame {
  data: Json;
  /** True where the frame's name says that it is an error. */
  isError?: boolean;
  /** The frame's own `id:`; absent where it has none. */
  id?: string;
}

const STREAM_TYPE = /^text\/event-stream\s*(;|$)/i;
const MAX_LOGGED_CHARS = 2000;

export function isEventStream({ headers }: HttpAnswer): boolean {
  return STREAM_TYPE.test(headers["content-type"] ?? "");
}

/** `read` decodes each frame. */
export async function* readFrames<T>(
  { body }: HttpAnswer,
  asked: Asked,
  maxFrameBytes: number,
  read: (frame: JsonFrame) => T,
): AsyncGenerator<T, void> {
  const parser = createSseParser({ maxMessageBytes: maxFrameBytes });
  let lastId = "";

  /** Returns undefined for a frame without data. */
  function frameOf(message: SseMessage): JsonFrame | undefined {
    if (message.kind === "oversized") {
      throw unusable(`a frame of the agent's stream is longer than ${message.limitBytes} bytes`);
    }
    // Comments keep the connection open; a frame without data says nothing.
    if (message.kind !== "message" || message.data.trim() === "") return undefined;
    const { data: text, id, event } = message;
    const data = parseAny(text);
    if (data === undefined) {
      const what = "a frame of the agent's stream is not valid JSON, or nested too deeply";
      throw unusable(what, [logReport(shortly(text))]);
    }
    const frame: JsonFrame = { data };
    if (id !== "" && id !== lastId) frame.id = id;
    if (event === "error") frame.isError = true;
    lastId = id;
    return frame;
  }

  let over = false;
  try {
    for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
      for (const message of parser.push(chunk)) {
        const frame = frameOf(message);
        if (frame) yield read(frame);
      }
    }
    over = true;
    if (body.trouble) throw transportError(troubleFailure(body.trouble, asked));
    // Servers that end a stream without its last blank line have still sent the frame.
    for (const message of parser.unfinished()) {
      const frame = frameOf(message);
      if (frame) yield read(frame);
    }
  } finally {
    if (!over) body.close();
  }
}

/** Kept whole or not at all: half a secret would not be recognised. */
function shortly(text: string): string {
  return text.length > MAX_LOGGED_CHARS ? `(a frame of ${text.length} characters)` : text;
}

/** Applies `read` to frames of another source. An error that it throws ends them. */
export async function* readEach<T>(
  frames: AsyncIterable<JsonFrame>,
  read: (frame: JsonFrame) => T,
): AsyncGenerator<T> {
  for await (const frame of frames) yield read(frame);
}
