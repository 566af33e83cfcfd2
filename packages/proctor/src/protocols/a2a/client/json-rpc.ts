// The binding JSON-RPC 2.0 as a client (A2A 1.0, section 9; 0.3, section 3.2): every operation is a POST to one address. Envelopes are
// checked: an answer to something else is no answer.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { A2aError } from "../errors.ts";
import { readRpcError } from "../error-form.ts";
import { METHODS } from "../methods.ts";
import type { A2aOperation, A2aVersion } from "../service.ts";
import type { Peer, PeerRequest } from "./peer.ts";
import { isEventStream, readFrames, type JsonFrame } from "./read-frames.ts";
import { isJsonAnswer, otherType, readJson } from "./read-json.ts";
import { unusable } from "./transport-failure.ts";
import type { Wire } from "./wire-service.ts";

export interface JsonRpcOptions {
  peer: Peer;
  version: A2aVersion;
  url: URL;
  maxAnswerBytes: number;
  maxFrameBytes: number;
}

export function createJsonRpcWire(options: JsonRpcOptions): Wire {
  const { peer, version, url, maxAnswerBytes, maxFrameBytes } = options;
  let requests = 0;

  function requestOf(operation: A2aOperation, params: JsonObject | undefined, accept: string) {
    const method = METHODS[version][operation];
    if (method === undefined) {
      throw new A2aError("UNSUPPORTED_OPERATION", `A2A ${version} has no way to ask for this: ${operation}`);
    }
    const id = ++requests;
    const content: JsonObject = { jsonrpc: "2.0", id, method, ...(params && { params }) };
    const request: PeerRequest = { name: method, method: "POST", url, content, accept };
    return { id, request };
  }

  return {
    async ask(operation, params, call) {
      const { id, request } = requestOf(operation, params, "application/json");
      const answer = await peer.ask(request, call);
      return resultIn(await readJson(answer, request, maxAnswerBytes), id, request.name);
    },
    async open(operation, params, call, read) {
      const { id, request } = requestOf(operation, params, "text/event-stream, application/json;q=0.9");
      const answer = await peer.ask(request, call);
      const unwrapped = (frame: JsonFrame) =>
        read({ ...frame, data: resultIn(frame.data, id, request.name) });
      if (isEventStream(answer)) return readFrames(answer, request, maxFrameBytes, unwrapped);
      // An error before the stream, or a server that answers with a single result.
      if (!isJsonAnswer(answer)) throw await otherType(answer, request, "an event stream");
      const data = resultIn(await readJson(answer, request, maxAnswerBytes), id, request.name);
      return single(() => read({ data }));
    },
  };
}

async function* single<T>(read: () => T): AsyncGenerator<T> {
  yield await Promise.resolve(read());
}

/** JSON-RPC 2.0, section 5. Throws the A2aError that an error object is. */
function resultIn(envelope: Json, id: number, name: string): Json {
  const wrong = (what: string): A2aError => unusable(`the agent's answer to ${name} ${what}`);
  if (Array.isArray(envelope)) throw wrong("is a batch, and one request was sent");
  if (!isJsonObject(envelope)) throw wrong("is no JSON-RPC response");
  const { jsonrpc, result, error } = envelope;
  if (jsonrpc !== "2.0") throw wrong(`is no JSON-RPC 2.0 response: "jsonrpc" is not "2.0"`);
  const hasError = error !== undefined && error !== null;
  if (hasError && result !== undefined && result !== null) throw wrong("has both a result and an error");
  // A server that could not read the id of a request answers with null (section 5).
  const isAnonymous = hasError && (envelope["id"] === null || envelope["id"] === undefined);
  if (envelope["id"] !== id && !isAnonymous) throw wrong("has the id of another request");
  if (hasError) throw isJsonObject(error) ? readRpcError(error) : wrong("has an error that is no object");
  if (result === undefined) throw wrong("has neither a result nor an error");
  return result;
}
