// Where an agent is asked over HTTP, and with which headers. docs/reference/atp.md, "HTTP".
import type { Failure } from "../../../core/failure.ts";
import type { Job } from "../../../core/ports/driver.ts";
import { agentEndpoint } from "../../agent-endpoint.ts";
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
  const endpoint = agentEndpoint(job);
  if ("refused" in endpoint) return endpoint;
  const door = (name: Door["name"], accept: string): Door => ({
    name,
    url: endpoint.below(name),
    headers: { ...endpoint.headers, "content-type": ATP_JSON, accept },
  });
  return {
    doors: [door("/execute/stream", `${EVENT_STREAM}, ${ACCEPT_JSON}`), door("/execute", ACCEPT_JSON)],
  };
}
