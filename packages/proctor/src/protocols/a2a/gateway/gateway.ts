// The gateway: for each agent that is configured, a service of its own in front of the agent's.
import { createHttpClient, type HttpClient } from "../../../channels/http/client.ts";
import type { ArtifactService } from "../../../core/ports/artifact-service.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { GatewayIds } from "../../../core/ports/gateway-ids.ts";
import type { Loss } from "../codec.ts";
import type { A2aCall, A2aService } from "../service.ts";
import { createDownstream, type Downstream, type DownstreamOptions } from "./downstream.ts";
import { createFeeds } from "./feeds.ts";
import { createGatewayService } from "./gateway-service.ts";
import { createIdMap } from "./id-map.ts";
import { createKeepBytes } from "./keep-bytes.ts";

export interface GatewayAgent extends DownstreamOptions {
  /** Application that owns the agent's artifacts; the alias when absent. */
  application?: string;
}

export interface GatewayOptions {
  /** Agents by alias, under which each is served. */
  agents: Readonly<Record<string, GatewayAgent>>;
  artifacts: ArtifactService;
  ids: GatewayIds;
  clock: Clock;
  /** Returns whether clients need a token: cards say so. */
  isProtected: () => boolean;
  /** Header that names the user; all callers are the same user when absent. */
  identityHeader?: string;
  /** Bytes of all artifacts of one message together. */
  maxMessageBytes?: number;
  /** Milliseconds for which a stream waits for a client to come back. */
  lingerMs?: number;
  /** Milliseconds for which a file that may lack chunks is held back. */
  holdMs?: number;
  http?: HttpClient;
  /** Called with trouble that no client gets to see. */
  report?: (problem: unknown, alias: string) => void;
  /** Called with what a client's or an agent's version of A2A could not express. */
  onLosses?: (alias: string, losses: readonly Loss[], call: A2aCall) => void;
}

export interface Gateway {
  services: ReadonlyMap<string, A2aService>;
  /** Closes the connections to all agents. */
  close(): void;
}

const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
const LINGER_MS = 60_000;
const HOLD_MS = 1000;

export function createGateway(options: GatewayOptions): Gateway {
  const { artifacts, clock, http = createHttpClient(), report = () => undefined } = options;
  const feeds = createFeeds({ clock, lingerMs: options.lingerMs ?? LINGER_MS });
  const { identityHeader } = options;

  function serve(alias: string, agent: GatewayAgent): A2aService {
    const app = agent.application ?? alias;
    const downstream: Downstream = createDownstream(agent, {
      http,
      clock,
      report: (problem) => report(problem, alias),
    });
    return createGatewayService({
      alias,
      app,
      downstream,
      ids: createIdMap({ gateway: alias, ids: options.ids, clock }),
      artifacts,
      keep: createKeepBytes(app, artifacts),
      feeds,
      clock,
      timeoutMs: agent.timeoutMs,
      isProtected: options.isProtected,
      maxMessageBytes: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      holdMs: options.holdMs ?? HOLD_MS,
      onLosses: (losses, call) => options.onLosses?.(alias, losses, call),
      ...(identityHeader !== undefined && { identityHeader }),
    });
  }

  return {
    services: new Map(Object.entries(options.agents).map(([alias, agent]) => [alias, serve(alias, agent)])),
    close: () => feeds.close(),
  };
}
