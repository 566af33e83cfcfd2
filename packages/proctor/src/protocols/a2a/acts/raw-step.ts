// A request as a test wrote it: below the binding's address, without a header or a credential of ours.
import { createSseParser } from "../../../channels/sse/parse-sse.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import { parseAny } from "../../http-refusal.ts";
import { readRpcError } from "../error-form.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import type { Transcript } from "../conform/transcript.ts";
import { rawAnswer } from "./ask-operation.ts";
import type { Answer } from "./answer.ts";
import type { StepContext } from "./step-context.ts";
import type { StepOf } from "./step-schema.ts";

export async function sendRaw(raw: StepOf<"raw">["raw"], { trial, endpoint }: StepContext): Promise<Answer> {
  const { method, path, headers = {}, body, body_raw: asItIs } = raw;
  const content = asItIs ?? (body === undefined ? undefined : JSON.stringify(body));
  const transcript = await trial.raw({
    url: placeOf(endpoint, path),
    method,
    headers: lowered(headers),
    ...(content !== undefined && { body: content }),
  });
  const answer = rawAnswer(transcript, trial);
  const error = isJsonObject(answer.body) ? answer.body["error"] : undefined;
  // JSON-RPC puts into the body of an answer what other bindings say with a status.
  return endpoint.binding === "JSONRPC" && isJsonObject(error)
    ? { ...answer, error: readRpcError(error) }
    : answer;
}

/** The request never goes to another host, whatever the path says. */
function placeOf({ url }: Endpoint, path: string): URL {
  const [, below = "", query = ""] = /^\/?([^?]*)(\?.*)?$/s.exec(path) ?? [];
  const target = new URL(url);
  if (below !== "") target.pathname = `${withoutTrailingSlashes(url.pathname)}/${below}`;
  target.search = query;
  return target;
}

function lowered(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the frames of an answer that is an event stream, as they came. */
export function framesOf({ received }: Transcript): Json[] {
  const parser = createSseParser();
  const messages = [...parser.push(Buffer.from(received)), ...parser.unfinished()];
  return messages.flatMap((message) =>
    message.kind === "message" ? [parseAny(message.data) ?? message.data] : [],
  );
}
