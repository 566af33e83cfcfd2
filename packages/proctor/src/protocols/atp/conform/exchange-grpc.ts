// Raw exchanges over gRPC: ExecuteStream, or Execute at the other door. Only what the .proto can carry can be sent.
import { Code, ConnectError, createClient, type Client } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import type { AgentSpec } from "../../../core/agent.ts";
import type { JsonObject } from "../../../core/json.ts";
import { decodeResponseMessage, decodeStreamMessage, encodeRequestMessage } from "../grpc/messages.ts";
import { AGENT_SERVICE } from "../grpc/service.ts";
import { startDeadline } from "./deadline.ts";
import {
  concludeExchange,
  taskIdOf,
  type Connection,
  type Ended,
  type Exchange,
  type ExchangeOptions,
} from "./exchange.ts";
import { createTranscript } from "./transcript.ts";

export function openGrpc(spec: AgentSpec): Connection {
  const baseUrl = (spec.url ?? "").replace(/^grpc:/, "http:");
  const sessions = new Http2SessionManager(baseUrl);
  const client = createClient(AGENT_SERVICE, createGrpcTransport({ baseUrl, sessionManager: sessions }));
  return {
    exchange: (options) => call(client, spec, options),
    close: async () => sessions.abort(),
  };
}

async function call(
  client: Client<typeof AGENT_SERVICE>,
  spec: AgentSpec,
  options: ExchangeOptions,
): Promise<Exchange> {
  const startedAt = performance.now();
  const transcript = createTranscript();
  const taskId = taskIdOf(options.send);
  const broken = new AbortController();
  const ended: Ended = { overtime: false, cancelled: false, lingered: false, unreachable: false };
  const deadline = startDeadline(options, {
    cancel() {
      if (options.cancelByCall !== true || taskId === undefined) return broken.abort();
      // The call's result does not matter: what counts is how the task ends.
      client.cancel({ taskId, reason: "conformance" }, callOptions).catch(() => {});
    },
    cut: () => broken.abort(),
  });
  const callOptions = { signal: broken.signal, ...(spec.headers && { headers: spec.headers }) };

  function hear(json: JsonObject, name: "event" | "response"): void {
    const { kind } = transcript.add({ text: JSON.stringify(json), channel: "frame", name });
    if (transcript.full) broken.abort();
    else if (kind === "response") deadline.answered();
    else deadline.heard();
  }

  try {
    const request = encodeRequestMessage(typeof options.send === "string" ? {} : options.send);
    if (options.door === "execute") {
      hear(decodeResponseMessage(await client.execute(request, callOptions)), "response");
    } else {
      for await (const message of client.executeStream(request, callOptions)) {
        const said = decodeStreamMessage(message);
        if (said) hear(said.json, said.kind);
      }
    }
    ended.grpcStatus = "OK";
  } catch (error) {
    if (!broken.signal.aborted) Object.assign(ended, describeTrouble(error));
  } finally {
    deadline.clear();
  }
  const { overtime, cancelled, lingered } = deadline;
  const durationMs = performance.now() - startedAt;
  return concludeExchange(options, transcript, { ...ended, overtime, cancelled, lingered }, durationMs);
}

function describeTrouble(error: unknown): Partial<Ended> {
  const { code, rawMessage, cause } = ConnectError.from(error);
  const status = (Code[code] ?? "UNKNOWN").replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  const system = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const unreachable =
    code === Code.Unavailable && /^E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)/.test(system);
  return { grpcStatus: status, ...(unreachable && { unreachable, error: rawMessage }) };
}
