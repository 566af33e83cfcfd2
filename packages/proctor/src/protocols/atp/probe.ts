// Whether an agent of ATP is alive. The protocol has no request for that, and a probe must never start work or upset an agent: over HTTP its
// address is only looked at, over gRPC an unknown task is cancelled, over WebSocket the connection itself is the answer.
import { Code, ConnectError } from "@connectrpc/connect";
import { createGrpcClient } from "../../channels/grpc/client.ts";
import { connectSocket } from "../../channels/websocket/connect-socket.ts";
import type { AgentSpec } from "../../core/agent.ts";
import { uuidV7 } from "../../core/id.ts";
import { messageOf } from "../../core/message-of.ts";
import { ALIVE, belowAddress, dead, probeHttp, type Probe } from "../probe.ts";
import { AGENT_SERVICE } from "./grpc/service.ts";

const CONNECT_TIMEOUT_MS = 10_000;

export async function probe(spec: AgentSpec, signal: AbortSignal): Promise<Probe> {
  const { transport, url = "", headers } = spec;
  if (transport === "grpc" || transport === "grpcs") return probeGrpc(url, headers, signal);
  if (transport === "ws" || transport === "wss") return probeSocket(url, headers, signal);
  // A server that refuses a GET is there: servers differ in how, and the simplest answer 501.
  const isAlive = (status: number): boolean => status <= 501 && status !== 500;
  return probeHttp({ url: executeOf(spec), ...(headers && { headers }), isAlive }, signal);
}

/** Resolves with whether a URL that is to be registered speaks ATP: it gets an empty task, which it must refuse. */
export function identify(spec: AgentSpec, signal: AbortSignal): Promise<Probe> {
  const { headers } = spec;
  return probeHttp(
    {
      method: "POST",
      url: executeOf(spec),
      body: {},
      ...(headers && { headers }),
      // A refusal of the request, or of us, comes from an agent; 404 and 405 come from another server.
      isAlive: (status) => (status >= 200 && status < 300) || [400, 401, 403, 415, 422, 429].includes(status),
    },
    signal,
  );
}

function executeOf(spec: AgentSpec): URL {
  return belowAddress(spec, /\/execute\/?$/.test(new URL(spec.url ?? "").pathname) ? "" : "/execute");
}

async function probeGrpc(
  url: string,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<Probe> {
  try {
    const { service } = createGrpcClient(AGENT_SERVICE, { url });
    await service.cancel({ taskId: uuidV7() }, { signal, headers: new Headers(headers) });
    return ALIVE;
  } catch (error) {
    // Agents need not have the method.
    const { code } = ConnectError.from(error);
    const isThere = code === Code.NotFound || code === Code.Unimplemented || code === Code.Unauthenticated;
    return isThere ? ALIVE : dead(messageOf(error));
  }
}

async function probeSocket(
  url: string,
  headers: Record<string, string> | undefined,
  signal: AbortSignal,
): Promise<Probe> {
  try {
    const socket = await connectSocket({
      url,
      protocols: ["atp.v1"],
      ...(headers && { headers }),
      signal,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      maxMessageBytes: 1024 * 1024,
    });
    socket.close(1000, "");
    return ALIVE;
  } catch (error) {
    return dead(messageOf(error));
  }
}
