// Where an agent is asked over HTTP, and with which headers. docs/reference/atp.md, "HTTP".
import type { Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { traceparentOf } from "../../../runtime/span-ids.ts";
import { agentEndpoint } from "../../agent-endpoint.ts";
import { ATP_JSON, EVENT_STREAM, PLAIN_JSON, type JsonType } from "./media.ts";

/** One of an agent's two endpoints. */
export interface Door {
  /** Name of the endpoint in messages. */
  name: "/execute/stream" | "/execute";
  url: URL;
  /** Headers of a request with a body of this type. */
  headers(type: JsonType): Record<string, string>;
}

const ACCEPT_JSON = `${ATP_JSON}, ${PLAIN_JSON};q=0.9`;

/** Returns the endpoints in the order in which they are tried. With `fixedType`, the agent's own headers set the type of a body. */
export function doorsOf(job: Job): { doors: Door[]; fixedType: boolean } | { refused: Failure } {
  const endpoint = agentEndpoint(job.spec, traceparentOf(job));
  if ("refused" in endpoint) return endpoint;
  const own = ownHeaders(job);
  const door = (name: Door["name"], accept: string): Door => ({
    name,
    url: endpoint.below(name),
    headers: (type) => ({ ...endpoint.headers, "content-type": type, accept, ...own }),
  });
  return {
    fixedType: own["content-type"] !== undefined,
    doors: [door("/execute/stream", `${EVENT_STREAM}, ${ACCEPT_JSON}`), door("/execute", ACCEPT_JSON)],
  };
}

/** Returns the two headers that the agent's registration may replace. */
function ownHeaders({ spec }: Job): Record<string, string> {
  const own = Object.entries(spec.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(own.filter(([name]) => name === "content-type" || name === "accept"));
}
