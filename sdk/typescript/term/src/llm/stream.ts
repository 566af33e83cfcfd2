// Reads a streamed chat completion: server-sent events, however the bytes are cut, joined to one answer.
import { LLMError } from "../errors.ts";
import { excerpt, isObject, type Json, type JsonObject } from "../json.ts";
import { addUsage, functionCall, type LLMResponse } from "./completion.ts";
import { errorInStream } from "./failures.ts";

const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/** Yields the data of each event. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const piece of pieces) {
    rest += decoder.decode(piece, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? "";
    if (rest.length > MAX_EVENT_CHARS)
      throw new LLMError("invalid_response", "an event of the stream is too large");
    for (const line of lines) {
      if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      } else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    }
  }
  if (rest.startsWith("data:")) data.push(rest.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
}

interface PartialCall {
  id: string | null;
  name: string;
  arguments: string;
}

/** Yields the text piece by piece and fills in `response`. Throws `network_error` when the stream ends before the answer does. */
export async function* readStream(
  events: AsyncIterable<string>,
  response: LLMResponse,
): AsyncGenerator<string> {
  const calls = new Map<number, PartialCall>();
  let isDone = false;
  try {
    for await (const event of events) {
      if (event === "[DONE]") {
        isDone = true;
        break;
      }
      const text = take(event, response, calls);
      response.text += text;
      if (text !== "") yield text;
    }
    if (!isDone && response.finishReason === null)
      throw new LLMError("network_error", "the stream ended before the answer did");
  } catch (error) {
    if (error instanceof LLMError) error.details.partial ??= response.text;
    throw error;
  }
  response.functionCalls = [...calls]
    .sort(([a], [b]) => a - b)
    .map(([, call]) => functionCall(call.name, call.arguments, call.id));
}

function take(event: string, response: LLMResponse, calls: Map<number, PartialCall>): string {
  const chunk = parse(event);
  if (chunk["error"] != null) throw errorInStream(chunk["error"]);
  if (typeof chunk["model"] === "string") response.model = chunk["model"];
  addUsage(response, chunk["usage"]);
  const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
  const [choice] = choices;
  if (!isObject(choice)) return "";
  if (typeof choice["finish_reason"] === "string") response.finishReason = choice["finish_reason"];
  const delta = isObject(choice["delta"]) ? choice["delta"] : {};
  for (const part of Array.isArray(delta["tool_calls"]) ? delta["tool_calls"] : []) takeCall(part, calls);
  return stringOf(delta["content"]);
}

function takeCall(part: Json, calls: Map<number, PartialCall>): void {
  if (!isObject(part)) return;
  const index = typeof part["index"] === "number" ? part["index"] : 0;
  const call = calls.get(index) ?? { id: null, name: "", arguments: "" };
  calls.set(index, call);
  const made = isObject(part["function"]) ? part["function"] : {};
  call.id ??= typeof part["id"] === "string" ? part["id"] : null;
  call.name += stringOf(made["name"]);
  call.arguments += stringOf(made["arguments"]);
}

function parse(event: string): JsonObject {
  try {
    const chunk: unknown = JSON.parse(event);
    if (isObject(chunk)) return chunk;
  } catch {
    // Text that is not JSON is refused below, like JSON of another shape.
  }
  throw new LLMError("invalid_response", `an event of the stream is no chunk: ${excerpt(event)}`);
}

const stringOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
