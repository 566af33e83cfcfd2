// Requests that no client of A2A would make: any method, path, headers and body, over HTTP, with the transcript of what came back.
import type { HttpClient } from "../../../channels/http/client.ts";
import { readBody } from "../../../channels/http/read-body.ts";
import type { Json } from "../../../core/json.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";
import { parseAny } from "../../http-refusal.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import type { Identity } from "./caller.ts";
import { NOBODY } from "./caller.ts";
import type { Endpoint } from "./endpoint.ts";
import { recordHttp } from "./record-http.ts";
import type { Transcript } from "./transcript.ts";

export interface RawRequest {
  url: URL;
  method?: "GET" | "POST" | "DELETE" | "PUT";
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  as?: Identity;
}

export interface RawDeps {
  http: HttpClient;
  timeoutMs: number;
  signal: AbortSignal;
  hideUrl: (url: URL) => string;
}

const MAX_BYTES = 4 * 1024 * 1024;

export function rawRequest(request: RawRequest, deps: RawDeps): Promise<Transcript> {
  return withinTime(deps.signal, deps.timeoutMs, (limit) => send(request, deps, limit));
}

async function send(request: RawRequest, deps: RawDeps, limit: AbortSignal): Promise<Transcript> {
  const { method = "GET", body, as = NOBODY } = request;
  const recorder = recordHttp(deps.http, deps.hideUrl);
  const url = new URL(request.url);
  const headers: Record<string, string> = { "user-agent": "proctor", ...as.headers, ...request.headers };
  await as.auth.apply({ url, headers }, limit).catch(() => undefined);
  const tls = as.auth.tls && { tls: as.auth.tls };
  const exchanged = await (method === "GET" || method === "DELETE"
    ? recorder.get({ url, headers, method, ...tls }, limit)
    : recorder.post({ url, headers, method, content: body ?? "", once: true, ...tls }, limit));
  if (exchanged.kind === "answered") await readBody(exchanged.answer.body, MAX_BYTES);
  const [transcript] = recorder.transcripts;
  if (transcript === undefined) throw new Error("a request leaves a transcript");
  return transcript;
}

/** Returns the answer's body as JSON; undefined where it is none. */
export function jsonOf({ received }: Transcript): Json | undefined {
  return received.trim() === "" ? undefined : parseAny(received);
}

/** Returns a path below an endpoint's address. */
export function below({ url, version }: Endpoint, path: string): URL {
  const target = new URL(url);
  const root = version === "0.3" ? "/v1" : "";
  target.pathname = `${withoutTrailingSlashes(url.pathname)}${root}${path}`;
  return target;
}
