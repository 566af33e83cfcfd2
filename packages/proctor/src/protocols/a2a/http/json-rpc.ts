// The JSON-RPC binding: specification 1.0, section 9, and 0.3, section 3.2.1. Errors of A2A and of JSON-RPC come with status 200; a status of
// its own has only what HTTP refuses: a media type, a size, missing credentials.
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type Json } from "../../../core/json.ts";
import { encodeSse } from "../../../runtime/http/encode-sse.ts";
import { readJson } from "../../../runtime/http/read-json.ts";
import { emptyResponse, jsonText, type PlainHeaders } from "../../../runtime/http/respond.ts";
import { codecOf } from "../codecs.ts";
import { writeRpcError } from "../error-form.ts";
import { statusOf, type A2aError } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import { answerHeaders } from "./answer-headers.ts";
import { STREAMS } from "./check-capabilities.ts";
import { openCall } from "./open-call.ts";
import { perform } from "./perform.ts";
import { findMethod, idOf, readJsonRpc, type JsonRpcId } from "./read-json-rpc.ts";
import { readVersion } from "./read-version.ts";
import { refusalOf, type Refusal } from "./refusal.ts";
import type { ServerCall, Serving } from "./serving.ts";
import { STREAM_HEADERS, streamBody } from "./stream-body.ts";

/** Statuses that proxies and HTTP libraries act on without reading the body. */
const TELLING: ReadonlySet<number> = new Set([401, 403, 429, 503]);

/** Facts about a request that are known when it is answered. */
interface Known {
  id: JsonRpcId;
  named: A2aVersion | undefined;
  version: A2aVersion;
  /** True when the client reads events alone: clients of 0.3 take anything else for a broken stream. */
  eventsOnly: boolean;
}

export async function serveJsonRpc(serving: Serving, request: Request, host: ServerCall): Promise<Response> {
  const [version = "1.0"] = serving.versions;
  const known: Known = { id: null, named: undefined, version, eventsOnly: false };
  const refuse = (thrown: unknown): Refusal =>
    refusalOf(thrown, host.traceId, (problem) => serving.report(problem, host.traceId));
  try {
    return await answer(serving, request, host, known, refuse);
  } catch (thrown) {
    const refusal = refuse(thrown);
    const { named } = known;
    const headers = {
      ...answerHeaders(known.version, named ?? known.version),
      ...refusal.headers,
      ...allowed(refusal),
    };
    const envelope = errorEnvelope(known, refusal.error);
    const status = statusFor(refusal, serving);
    if (status !== 200 || !known.eventsOnly) return jsonText(envelope, status, headers);
    return new Response(encodeSse({ data: envelope }), { headers: { ...STREAM_HEADERS, ...headers } });
  }
}

async function answer(
  serving: Serving,
  request: Request,
  host: ServerCall,
  known: Known,
  refuse: (thrown: unknown) => Refusal,
): Promise<Response> {
  if (!serving.bindings.includes("JSONRPC"))
    throw new ProctorError("NOT_FOUND", "JSON-RPC is not spoken here");
  if (request.method !== "POST") throw new ProctorError("METHOD_NOT_ALLOWED", "JSON-RPC takes POST");
  const body = await readJson(request, { limitBytes: serving.bodyLimitBytes });
  known.id = idOf(body) ?? null;
  const named = readVersion(request, serving.versions);
  known.named = named;
  if (named !== undefined) known.version = named;
  const { method, params } = readJsonRpc(body);
  const { operation, version } = findMethod(method, named, serving.versions);
  known.version = version;
  known.eventsOnly = version === "0.3" && STREAMS.has(operation) && acceptsEventsAlone(request);
  const codec = codecOf(version);
  const isNotification = isJsonObject(body) && body["id"] === undefined;
  const open = openCall(request, host, { version, binding: "JSONRPC" }, serving.stopping);
  let streams = false;
  try {
    const { service } = serving;
    const { caller } = host;
    const options = { service, codec, call: open.call, caller, unattended: isNotification };
    const performed = await perform(operation, params, options);
    const headers = answerHeaders(version, named, performed.extensions);
    if (isNotification) return emptyResponse(204, headers);
    if (performed.kind === "result") return jsonText(resultEnvelope(known, performed.result), 200, headers);
    streams = true;
    const frames = streamBody(performed.stream, serving, {
      open,
      client: request.signal,
      encode: (event) => resultEnvelope(known, codec.encodeFrame(event)),
      failed: (thrown) => ({ data: errorEnvelope(known, refuse(thrown).error) }),
    });
    return new Response(frames, { headers: { ...STREAM_HEADERS, ...headers } });
  } finally {
    if (!streams) open.end();
  }
}

function resultEnvelope({ id }: Known, result: Json): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function errorEnvelope({ id, version }: Known, error: A2aError): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: writeRpcError(error, version) });
}

function statusFor({ error, status }: Refusal, { patch }: Serving): number {
  if (status !== undefined && error.reason !== "PARSE_ERROR") return status;
  const own = statusOf(error.reason, patch).status;
  return TELLING.has(own) ? own : 200;
}

function acceptsEventsAlone({ headers }: Request): boolean {
  const accepted = headers.get("accept") ?? "";
  return accepted.includes("text/event-stream") && !/application\/json|\*\/\*/.test(accepted);
}

function allowed({ status }: Refusal): PlainHeaders {
  return status === 405 ? { allow: "POST" } : {};
}
