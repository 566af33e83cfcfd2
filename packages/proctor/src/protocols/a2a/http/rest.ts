// The HTTP+JSON binding: specification 1.0, section 11, and 0.3, section 3.2.3. What it refuses has the form of section 11.6 and the status
// that belongs to it.
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { readJson, readOptionalJson } from "../../../runtime/http/read-json.ts";
import type { PlainHeaders } from "../../../runtime/http/respond.ts";
import { withoutBody } from "../../../runtime/http/serve-routes.ts";
import type { PatchLevel } from "../errors.ts";
import type { A2aVersion } from "../service.ts";
import { answerHeaders } from "./answer-headers.ts";
import { codecFor, httpError } from "./forms.ts";
import { openCall } from "./open-call.ts";
import { perform, type Performable } from "./perform.ts";
import { readVersion, requireVersion } from "./read-version.ts";
import { refusalOf, type Refusal } from "./refusal.ts";
import { paramsOf, readQueryParams } from "./rest-params.ts";
import { REST_ROUTERS, splitVerb, versionOfPath } from "./rest-paths.ts";
import type { ServerCall, Serving } from "./serving.ts";
import { STREAM_HEADERS, streamBody } from "./stream-body.ts";

/** Facts about a request that are known when it is answered. */
interface Known {
  named: A2aVersion | undefined;
  version: A2aVersion;
}

/** `path` is what follows the service's own path, still escaped. */
export async function serveRest(
  serving: Serving,
  request: Request,
  host: ServerCall,
  path: string,
): Promise<Response> {
  const known: Known = { named: undefined, version: versionOfPath(path) };
  const refuse = (thrown: unknown, headers?: PlainHeaders): Refusal =>
    refusalOf(thrown, host.traceId, (problem) => serving.report(problem, host.traceId), headers);
  const refused = ({ error, status, headers }: Refusal): Response => {
    const { version, named } = known;
    const written = httpError(error, version, serving.patch, status);
    return json(written.body, written.status, serving.patch, version, {
      ...answerHeaders(version, named ?? version),
      ...headers,
    });
  };
  try {
    if (!serving.bindings.includes("HTTP+JSON"))
      throw new ProctorError("NOT_FOUND", "there is nothing at this path");
    known.named = readVersion(request, serving.versions);
    known.version = known.named ?? known.version;
    requireVersion(known.version, serving.versions);
    const found = REST_ROUTERS[known.version].find(request.method, splitVerb(path));
    if (found.endpoint === undefined) return refused(refuse(found.error, found.headers));
    const { operation, hasBody } = found.endpoint;
    const rest = hasBody
      ? await readParams(request, operation, serving)
      : readQueryParams(request.url, operation);
    const params = paramsOf(known.version, operation, { path: found.params, rest });
    const response = await answer(serving, request, host, { ...known, operation, params, refuse });
    return request.method === "HEAD" ? withoutBody(response) : response;
  } catch (thrown) {
    return refused(refuse(thrown));
  }
}

interface Asked extends Known {
  operation: Performable;
  params: Json;
  refuse: (thrown: unknown) => Refusal;
}

async function answer(
  serving: Serving,
  request: Request,
  host: ServerCall,
  { version, named, operation, params, refuse }: Asked,
): Promise<Response> {
  const { service, patch, stopping } = serving;
  const codec = await codecFor(version, "HTTP+JSON");
  const open = openCall(request, host, { version, binding: "HTTP+JSON" }, stopping);
  let streams = false;
  try {
    const performed = await perform(operation, params, {
      service,
      codec,
      call: open.call,
      caller: host.caller,
    });
    const headers = answerHeaders(version, named, performed.extensions);
    if (performed.kind === "result") return json(performed.result, 200, patch, version, headers);
    streams = true;
    const frames = streamBody(performed.stream, serving, {
      open,
      client: request.signal,
      encode: (event) => JSON.stringify(codec.encodeFrame(event)),
      // The specification has no form for it (A2A#1262); the official clients know an event of this name.
      failed(thrown) {
        const { error } = refuse(thrown);
        return { event: "error", data: JSON.stringify(httpError(error, version, patch).body) };
      },
    });
    return new Response(frames, { headers: { ...STREAM_HEADERS, ...headers } });
  } finally {
    if (!streams) open.end();
  }
}

/** Reads the body: a message needs one; the other operations may leave it out. */
async function readParams(
  request: Request,
  operation: Performable,
  { bodyLimitBytes: limitBytes }: Serving,
): Promise<Json> {
  const needed = operation === "send" || operation === "stream" || operation === "createPushConfig";
  return needed
    ? readJson(request, { limitBytes })
    : ((await readOptionalJson(request, { limitBytes })) ?? {});
}

/** Writes `application/a2a+json` from 1.0.1 on: section 11.1. */
function json(
  body: Json,
  status: number,
  patch: PatchLevel,
  version: A2aVersion,
  headers: PlainHeaders,
): Response {
  const type = version === "1.0" && patch !== "1.0.0" ? "application/a2a+json" : "application/json";
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": type, "cache-control": "no-store", ...headers },
  });
}
