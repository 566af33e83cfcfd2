// Whether an agent of A2A is alive: it has a card, and answers a request for a task that does not exist as only an agent of A2A does.
import { createHttpClient } from "../../channels/http/client.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { uuidV7 } from "../../core/id.ts";
import { messageOf } from "../../core/message-of.ts";
import { newTraceId } from "../../core/trace.ts";
import { ALIVE, dead, type Probe } from "../probe.ts";
import { discoverCard } from "./card/discover-card.ts";
import { pickInterface } from "./card/pick-interface.ts";
import { trustHosts } from "./card/trusted-hosts.ts";
import { ANONYMOUS } from "./client/auth/client-auth.ts";
import { openClient } from "./client/open-client.ts";
import { A2aError } from "./errors.ts";
import type { AgentInterface } from "./model.ts";

const http = createHttpClient();

export async function probe(spec: AgentSpec, signal: AbortSignal): Promise<Probe> {
  const url = new URL(spec.url ?? "");
  const headers = { "user-agent": "proctor", ...spec.headers };
  const found = await interfaceOf(url, headers, signal);
  if (typeof found === "string") return dead(found);
  try {
    const client = await openClient({ interface: found, http, headers });
    await client.getTask(
      { id: uuidV7() },
      {
        version: found.protocolVersion === "0.3" ? "0.3" : "1.0",
        binding: "JSONRPC",
        headers: {},
        extensions: [],
        origin: url.origin,
        basePath: "",
        traceId: newTraceId(),
        signal,
      },
    );
    return dead("it knows a task that does not exist");
  } catch (error) {
    if (error instanceof A2aError && error.reason === "TASK_NOT_FOUND") return ALIVE;
    return dead(messageOf(error));
  }
}

/** Resolves with the interface to ask, or why there is none. A server of gRPC has no place for a card. */
async function interfaceOf(
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<AgentInterface | string> {
  if (url.protocol.startsWith("grpc")) {
    return { url: url.href, protocolBinding: "GRPC", protocolVersion: "1.0" };
  }
  const call = { traceId: newTraceId(), signal, extensions: [] };
  const found = await discoverCard({ url, http, auth: ANONYMOUS, headers, call });
  if (!found.ok) return found.tried.at(-1)?.why ?? "it has no card";
  const picked = pickInterface(found.card, {}, trustHosts(url));
  return picked.ok ? picked.interface : picked.why;
}
