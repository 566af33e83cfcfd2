// The binding HTTP+JSON as a client (A2A 1.0, section 11; 0.3, section 3.2.3): where each operation is says http-json-paths.ts; what of its
// parameters is not in the path stands in the query or the body.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import { readHttpError } from "../error-form.ts";
import { A2aError } from "../errors.ts";
import type { A2aCall, A2aVersion } from "../service.ts";
import { idSegment, placeOf, type Place } from "./http-json-paths.ts";
import type { Peer, PeerRequest } from "./peer.ts";
import { isEventStream, readFrames, type JsonFrame } from "./read-frames.ts";
import { otherType, readJson } from "./read-json.ts";
import { TransportFailure } from "./transport-failure.ts";
import type { Wire } from "./wire-service.ts";

export interface HttpJsonOptions {
  peer: Peer;
  version: A2aVersion;
  url: URL;
  maxAnswerBytes: number;
  maxFrameBytes: number;
}

const A2A_JSON = "application/a2a+json";
const EVENT_STREAM = "text/event-stream";
/** Servers of 1.0.0 answer with the older type. */
const ACCEPT_JSON = `${A2A_JSON}, application/json;q=0.9`;

export function createHttpJsonWire(options: HttpJsonOptions): Wire {
  const { peer, version, url, maxAnswerBytes, maxFrameBytes } = options;
  const contentType = version === "1.0" ? A2A_JSON : "application/json";

  function requestOf(place: Place, params: JsonObject, accept: string): PeerRequest {
    const { tenant, ...rest } = params;
    const others = Object.entries(rest).filter(([name]) => !place.used.includes(name));
    const target = new URL(url);
    // The tenant is a segment before the operation (the .proto's additional bindings).
    const prefix = typeof tenant === "string" && tenant !== "" ? `/${idSegment(tenant, "tenant")}` : "";
    target.pathname = `${withoutTrailingSlashes(url.pathname)}${prefix}${place.path}`;
    const request = { name: `${place.method} ${place.name}`, method: place.method, url: target, accept };
    if (place.method === "POST") {
      return { ...request, content: Object.fromEntries(others), contentType };
    }
    for (const [name, value] of others) {
      if (value !== undefined && value !== null) target.searchParams.set(name, inQuery(value));
    }
    return request;
  }

  async function subscribe(params: JsonObject, call: A2aCall) {
    // The specification's text has POST, its .proto GET: a server that knows only one refuses the other.
    const request = requestOf(placeOf(version, "subscribe", params), params, EVENT_STREAM);
    try {
      return { request, answer: await peer.ask(request, call) };
    } catch (error) {
      if (!isOtherMethod(error)) throw error;
      const { content: _, contentType: __, ...rest } = request;
      const again: PeerRequest = { ...rest, method: "GET", name: request.name.replace("POST", "GET") };
      return { request: again, answer: await peer.ask(again, call) };
    }
  }

  /** Deleting has no result: 200 and 204 mean the same. */
  async function remove(request: PeerRequest, call: A2aCall): Promise<Json> {
    try {
      (await peer.ask(request, call)).body.release();
    } catch (error) {
      if (statusOf(error) !== 204) throw error;
    }
    return {};
  }

  return {
    async ask(operation, params = {}, call) {
      const request = requestOf(placeOf(version, operation, params), params, ACCEPT_JSON);
      if (operation === "deletePushConfig") return remove(request, call);
      return readJson(await peer.ask(request, call), request, maxAnswerBytes);
    },
    async open(operation, params, call, read) {
      const { request, answer } =
        operation === "subscribe"
          ? await subscribe(params, call)
          : await ask(requestOf(placeOf(version, operation, params), params, EVENT_STREAM), call);
      if (!isEventStream(answer)) throw await otherType(answer, request, "an event stream");
      return readFrames(answer, request, maxFrameBytes, (frame) => read(withoutError(frame)));
    },
  };

  async function ask(request: PeerRequest, call: A2aCall) {
    return { request, answer: await peer.ask(request, call) };
  }
}

/** The specification does not say how a stream breaks off: servers send the body of an error as its last frame. */
function withoutError(frame: JsonFrame): JsonFrame {
  const { data, isError } = frame;
  const { error } = isJsonObject(data) ? data : {};
  if (isError === true || isJsonObject(error)) throw readHttpError(200, data);
  return frame;
}

function inQuery(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Not found, or not allowed, by a router that knows nothing of A2A. */
function isOtherMethod(error: unknown): boolean {
  const status = statusOf(error);
  return status === 404 || status === 405 || status === 501;
}

/** Returns the status of an answer that says nothing in A2A's words. */
function statusOf(error: unknown): number | undefined {
  return error instanceof A2aError && error.cause instanceof TransportFailure
    ? error.cause.status
    : undefined;
}
