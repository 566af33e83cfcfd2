// The model of a declarative test: answers chat completions with the responses of `llm_interactions`, in order, and remembers the requests.
import type { Json, JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";
import type { ObservedModelCall } from "../../core/observation.ts";
import { encodeSse } from "../../runtime/http/encode-sse.ts";
import { readJson } from "../../runtime/http/read-json.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";

export interface ModelServer {
  readonly calls: readonly ObservedModelCall[];
  fetch(request: Request): Promise<Response>;
}

const MAX_BYTES = 16 * 1024 * 1024;

export function createModelServer(interactions: readonly { static_response: JsonObject }[]): ModelServer {
  const calls: ObservedModelCall[] = [];
  return {
    calls,
    async fetch(request) {
      const body = await readJson(request, { limitBytes: MAX_BYTES, anyType: true });
      const chat = isJsonObject(body) ? body : {};
      const interaction = calls.length;
      const answer = interactions[interaction]?.static_response;
      calls.push({ ...(answer && { interaction }), request: chat });
      if (answer === undefined) {
        const message = `the test has ${interactions.length} interactions, and this is call ${interaction + 1}`;
        return jsonResponse({ error: { message, type: "no_interaction" } }, 500);
      }
      const whole: JsonObject = {
        id: `chatcmpl-${interaction}`,
        object: "chat.completion",
        created: 0,
        ...answer,
      };
      return chat["stream"] === true ? streamed(whole) : jsonResponse(whole);
    },
  };
}

/** Returns a stream of one chunk for the message and one for its end, because declarative tests do not say how a text is cut. */
function streamed(answer: JsonObject): Response {
  const [choice] = Array.isArray(answer["choices"]) ? answer["choices"].filter(isJsonObject) : [];
  const head = { ...answer, object: "chat.completion.chunk", usage: null };
  const chunk = (delta: Json, finish_reason: Json): JsonObject => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  });
  const message = isJsonObject(choice?.["message"]) ? choice["message"] : {};
  const frames = [
    chunk(withIndexes(message), null),
    chunk({}, choice?.["finish_reason"] ?? "stop"),
    ...(answer["usage"] === undefined ? [] : [{ ...head, choices: [], usage: answer["usage"] }]),
  ];
  const text = [...frames.map((frame) => JSON.stringify(frame)), "[DONE]"];
  return new Response(text.map((data) => encodeSse({ data })).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

/** Adds an index to each tool call, as streams require. */
function withIndexes({ tool_calls: calls, ...message }: JsonObject): JsonObject {
  if (!Array.isArray(calls)) return message;
  return {
    ...message,
    tool_calls: calls.map((call, index) => (isJsonObject(call) ? { index, ...call } : call)),
  };
}
