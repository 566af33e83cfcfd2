// An agent behind an HTTP address: where its paths are, and which headers go with every request to it.
import type { AgentSpec } from "../core/agent.ts";
import { failure, type Failure } from "../core/failure.ts";
import { withoutTrailingSlashes } from "./trailing-slashes.ts";

export interface AgentEndpoint {
  /** The agent's address as it is written. */
  url: URL;
  /** The agent's own headers and ours, without those that describe a body. */
  headers: Record<string, string>;
  /** Returns the URL of a path below the agent's address. A query in the address is kept, because it may hold a key. */
  below(path: string): URL;
}

export function agentEndpoint(spec: AgentSpec, traceparent: string): AgentEndpoint | { refused: Failure } {
  const { url = "" } = spec;
  if (!URL.canParse(url)) return { refused: failure("INVALID_REQUEST", "the agent's url is not valid") };
  const base = new URL(url);
  if (base.protocol !== "http:" && base.protocol !== "https:") {
    return {
      refused: failure("INVALID_REQUEST", `the agent's url is ${base.protocol}, not http: or https:`),
    };
  }
  return {
    url: base,
    headers: commonHeaders(spec, traceparent),
    below(path) {
      const url = new URL(base);
      url.pathname = `${withoutTrailingSlashes(base.pathname)}${path}`;
      return url;
    },
  };
}

/** Returns the agent's own headers, except where the protocol or the connection needs another value. */
function commonHeaders(spec: AgentSpec, traceparent: string): Record<string, string> {
  const own = Object.entries(spec.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const headers: Record<string, string> = {
    "user-agent": "proctor",
    ...(Object.fromEntries(own) as Record<string, string>),
    "accept-encoding": "identity",
    traceparent,
  };
  for (const name of OURS_TO_SET) delete headers[name];
  return headers;
}

const OURS_TO_SET = [
  "content-type",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "te",
  "trailer",
];
