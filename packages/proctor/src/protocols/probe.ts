// Whether an agent is alive, by an exchange in its own protocol. What over HTTP all probes share.
import type { AgentSpec } from "../core/agent.ts";
import { messageOf } from "../core/message-of.ts";

export type Probe = { alive: true } | { alive: false; trouble: string };

export const ALIVE: Probe = { alive: true };

export function dead(trouble: string): Probe {
  return { alive: false, trouble };
}

interface HttpProbe {
  method?: "GET" | "POST" | "OPTIONS";
  url: URL;
  /** Value that is posted as JSON. */
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  /** Returns whether this status is one that only a living agent of the protocol answers with. */
  isAlive: (status: number) => boolean;
}

/** Never rejects. Redirects are not followed, and the body of the answer is not read. */
export async function probeHttp(probe: HttpProbe, signal: AbortSignal): Promise<Probe> {
  const { method = "GET", url, body, headers = {}, isAlive } = probe;
  try {
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal,
      headers: { accept: "application/json", ...headers, ...(body !== undefined && JSON_TYPE) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    void response.body?.cancel().catch(() => undefined);
    if (isAlive(response.status)) return ALIVE;
    return dead(`${method} ${url.pathname} answered ${response.status}`);
  } catch (error) {
    return dead(reasonOf(error));
  }
}

const JSON_TYPE = { "content-type": "application/json" };

/** Returns the URL of a path below the agent's address, without a fragment. */
export function belowAddress({ url = "" }: AgentSpec, path: string): URL {
  const below = new URL(url);
  below.hash = "";
  below.pathname = `${below.pathname.replace(/\/+$/, "")}${path}`;
  return below;
}

export function headersOf({ headers }: AgentSpec): { headers?: Record<string, string> } {
  return headers === undefined ? {} : { headers };
}

/** Returns the reason that fetch hides in `cause`. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message !== "" ? cause.message : messageOf(error);
}
