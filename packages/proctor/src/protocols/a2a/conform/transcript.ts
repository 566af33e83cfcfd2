// One request and its answer as they were on the wire, for rules that look at bytes and for bug reports. Credentials are named in it, and
// never written.
import type { JsonObject } from "../../../core/json.ts";
import { evidenceText } from "../../../conformance/finding.ts";

export interface Transcript {
  /** Method of the request: `POST`, `GET`, or `gRPC`. */
  method: string;
  url: string;
  /** Headers by names in lower case; credentials are replaced by their name. */
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Status and headers of the answer; absent when none came. */
  status?: number;
  answered?: Readonly<Record<string, string>>;
  /** Beginning of the answer's body, as far as it was read. */
  received: string;
  /** Why there is no answer, or only half of one. */
  trouble?: string;
  durationMs: number;
}

/** Headers that hold no secrets, because we write them ourselves. */
const OURS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "a2a-extensions",
  "a2a-version",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "last-event-id",
  "traceparent",
  "user-agent",
  "x-a2a-extensions",
]);
export const TOKEN_NAME = "$A2A_TOKEN";

export function namedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const named = Object.entries(headers).map(([name, value]): [string, string] => {
    if (OURS.has(name)) return [name, value];
    const [scheme] = /^(Bearer|Basic)(?= )/i.exec(value) ?? [];
    return [name, scheme === undefined ? TOKEN_NAME : `${scheme} ${TOKEN_NAME}`];
  });
  return Object.fromEntries(named);
}

/** Headers that a pasted command does not need. */
const LEFT_OUT: ReadonlySet<string> = new Set(["accept-encoding", "traceparent", "user-agent"]);

/** Returns a command line that sends the same request. */
export function commandOf({ method, url, headers, body }: Transcript): string {
  if (method === "gRPC") {
    const [, host = "", call = ""] = /^grpc:\/\/([^/]+)\/(.+)$/.exec(url) ?? [];
    return `grpcurl -plaintext${headerFlags(headers)} -d ${quoted(body ?? "{}")} ${host} ${call}`;
  }
  const verb = method === (body === undefined ? "GET" : "POST") ? "" : ` -X ${method}`;
  const data = body === undefined ? "" : ` --data-binary ${quoted(body)}`;
  return `curl -sS -i -N${verb}${headerFlags(headers)}${data} ${quoted(url)}`;
}

function headerFlags(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .filter(([name]) => !LEFT_OUT.has(name))
    .map(([name, value]) => {
      const line = `${name}: ${value}`;
      // The shell fills in a credential by its name.
      return ` -H ${value.includes(TOKEN_NAME) ? `"${line}"` : quoted(line)}`;
    })
    .join("");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function describeTranscript(transcript: Transcript, hide: (text: string) => string): JsonObject {
  const { method, url, body, status, answered, received, trouble, durationMs } = transcript;
  return {
    sent: evidenceText(`${method} ${url}${body === undefined ? "" : ` ${body}`}`, hide),
    ...(status !== undefined && { status }),
    ...(answered?.["content-type"] !== undefined && { content_type: answered["content-type"] }),
    received: evidenceText(received, hide),
    ...(trouble !== undefined && { ended: hide(trouble) }),
    duration_ms: Math.round(durationMs),
  };
}
