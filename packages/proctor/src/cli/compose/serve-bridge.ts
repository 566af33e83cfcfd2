// `proctor bridge a2a`: an agent of one version of A2A on a socket of its own, for clients of the other.
import { createHttpClient } from "../../channels/http/client.ts";
import { ProctorError } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import { newTraceId } from "../../core/trace.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import { createBridgeService, type BridgeCall } from "../../protocols/a2a/bridge/bridge-service.ts";
import { createDownstream } from "../../protocols/a2a/gateway/downstream.ts";
import { createA2aServer } from "../../protocols/a2a/http/a2a-server.ts";
import type { A2aVersion } from "../../protocols/a2a/service.ts";
import { listen } from "../../runtime/http/listen.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { createAuth } from "../../server/auth.ts";
import { refusal } from "./refusal.ts";

export interface BridgeReady {
  /** Address of the bridge, as `--agent` takes it. */
  address: string;
  cardUrl: string;
  /** Name on the agent's card, and the version in which the bridge speaks to it. */
  agent: string;
  from: A2aVersion;
  to: A2aVersion;
}

export interface BridgedCall extends BridgeCall {
  time: string;
}

export interface ServeBridgeOptions {
  /** Address of the agent. */
  url: URL;
  to: A2aVersion;
  port: number;
  /** Headers of every request to the agent. */
  headers: Readonly<Record<string, string>>;
  /** Names of the headers of clients that go on to the agent. */
  passHeaders: readonly string[];
  onReady: (info: BridgeReady) => void;
  onCall: (call: BridgedCall) => Promise<void>;
  signal: AbortSignal;
}

const HOST = "127.0.0.1";
const REFRESH_MS = 60_000;
const TIMEOUT_MS = 300_000;

/** Listens on loopback only, and refuses requests that a web page makes. Throws USAGE where there is no agent, or nothing to translate. */
export async function serveBridge(options: ServeBridgeOptions): Promise<void> {
  const { url, to, port, signal } = options;
  const downstream = createDownstream(
    {
      url,
      headers: options.headers,
      allowHeaders: options.passHeaders,
      // The agent's own version is asked for where it has both.
      version: to === "1.0" ? "0.3" : "1.0",
      refreshMs: REFRESH_MS,
      timeoutMs: TIMEOUT_MS,
    },
    { http: createHttpClient(), clock: systemClock, report: () => undefined },
  );
  const { card, version } = await downstream({ signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ProctorError("USAGE", `no agent for a bridge to A2A ${to}: ${messageOf(error)}`);
  });
  const service = createBridgeService({
    downstream,
    to,
    onCall: (call) => void options.onCall({ time: new Date().toISOString(), ...call }),
  });
  const server = createA2aServer({ service, versions: [to] });
  const auth = createAuth({ tokens: [], host: HOST });
  const listening = await listen({
    host: HOST,
    port,
    app: {
      async fetch(request) {
        const refused = refusal(() => auth.checkPlace(request));
        return refused ?? server.fetch(request, { traceId: newTraceId(), basePath: "" });
      },
      endStreams: () => server.close(),
    },
  });
  try {
    const cardUrl = `${listening.url}/.well-known/agent-card.json`;
    options.onReady({ address: `a2a+${listening.url}`, cardUrl, agent: card.name, from: version, to });
    await whenAborted(signal);
  } finally {
    await listening.close(0);
  }
}
