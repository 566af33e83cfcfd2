// Where an agent is asked over HTTP, and with which headers. docs/reference/atp.md, "HTTP".
import { failure, type Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { formatTraceparent, newSpanId } from "../../../core/trace.ts";
import { ATP_JSON, EVENT_STREAM, PLAIN_JSON } from "./media.ts";

/** One of an agent's two endpoints. */
export interface Door {
  /** What messages call it. */
  name: "/execute/stream" | "/execute";
  url: URL;
  headers: Record<string, string>;
}

const ACCEPT_JSON = `${ATP_JSON}, ${PLAIN_JSON};q=0.9`;

/** The doors in the order in which they are tried. */
export function doorsOf(job: Job): { doors: Door[] } | { refused: Failure } {
  const { url = "" } = job.spec;
  if (!URL.canParse(url)) return { refused: failure("INVALID_REQUEST", "the agent's url is not valid") };
  const base = new URL(url);
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    return {
      refused: failure("INVALID_REQUEST", `the agent's url is ${base.protocol}, not http: or https:`),
    };
  }
  const headers = commonHeaders(job);
  return {
    doors: [
      {
        name: "/execute/stream",
        url: below(base, "/execute/stream"),
        headers: { ...headers, accept: `${EVENT_STREAM}, ${ACCEPT_JSON}` },
      },
      { name: "/execute", url: below(base, "/execute"), headers: { ...headers, accept: ACCEPT_JSON } },
    ],
  };
}

/** The path grows, a query stays: it may hold a key. */
function below(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}

/** The agent's own headers, except where the protocol or the connection needs another value. */
function commonHeaders(job: Job): Record<string, string> {
  const own = Object.entries(job.spec.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = {
    "user-agent": "proctor",
    ...(Object.fromEntries(own) as Record<string, string>),
    "content-type": ATP_JSON,
    "accept-encoding": "identity",
    traceparent: formatTraceparent({ traceId: job.traceId, spanId: newSpanId(), sampled: true }),
  };
  for (const name of OURS_TO_SET) delete headers[name];
  return headers;
}

const OURS_TO_SET = [
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "te",
  "trailer",
];
