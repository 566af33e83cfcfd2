// The messages in a server's answer: one JSON document, or a stream of them.
import type { HttpBody } from "../../channels/http/body.ts";
import type { HttpAnswer } from "../../channels/http/exchange.ts";
import { troubleFailure, wrongContentType, type Asked } from "../../channels/http/failures.ts";
import { readBody } from "../../channels/http/read-body.ts";
import { createSseParser } from "../../channels/sse/parse-sse.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseObject } from "../../core/parse-object.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { excerpt } from "../http-refusal.ts";
import type { WireTap } from "../wire-tap.ts";

export type Heard =
  | { json: JsonObject }
  | { garbage: string }
  /** Last item: nothing more comes. */
  | { failure: Failure; reports?: readonly AgentReport[] };

/** Bytes of one message, and so of an answer in one document. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const STREAM_TYPE = /^text\/event-stream\s*(?:;|$)/i;

export async function* hearMessages(
  { headers, body }: HttpAnswer,
  asked: Asked,
  tap: WireTap | undefined,
): AsyncGenerator<Heard> {
  const type = headers["content-type"];
  if (STREAM_TYPE.test(type ?? "")) yield* hearStream(body, asked, tap);
  else if (JSON_TYPE.test(type ?? "")) yield* hearDocument(body, headers["content-length"], asked, tap);
  else {
    body.close();
    yield { failure: wrongContentType(type, asked, "JSON or an event stream") };
  }
}

async function* hearDocument(
  incoming: HttpBody,
  length: string | undefined,
  asked: Asked,
  tap: WireTap | undefined,
): AsyncGenerator<Heard> {
  const body = await readBody(incoming, MAX_MESSAGE_BYTES, { length });
  tap?.received("mcp", body.bytes.toString());
  if (body.overflowed) return yield { failure: tooLarge() };
  if (body.trouble) return yield { failure: troubleFailure(body.trouble, asked) };
  const json = parseObject(body.bytes.toString());
  const unreadable = "the server's answer is no JSON object, or nested too deeply";
  yield json === undefined
    ? { failure: failure("INVALID_RESPONSE", unreadable), reports: excerpt(body) }
    : { json };
}

/** Reads only after what came was taken, which holds the server back. */
async function* hearStream(body: HttpBody, asked: Asked, tap: WireTap | undefined): AsyncGenerator<Heard> {
  const parser = createSseParser({ maxMessageBytes: MAX_MESSAGE_BYTES });
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    for (const message of parser.push(chunk)) {
      if (message.kind === "oversized") {
        body.close();
        return yield { failure: tooLarge() };
      }
      // A frame without data is there for its id, by which a stream could be continued.
      if (message.kind !== "message" || message.data === "") continue;
      tap?.received("mcp", message.data);
      const json = parseObject(message.data);
      yield json === undefined ? { garbage: message.data } : { json };
    }
  }
  yield {
    failure: body.trouble
      ? troubleFailure(body.trouble, asked)
      : failure("NO_RESPONSE", "the server's stream ended without an answer"),
  };
}

function tooLarge(): Failure {
  return failure("INVALID_RESPONSE", `the server's answer is larger than ${MAX_MESSAGE_BYTES} bytes`);
}
