// Gives a hub of this process its webhooks, in the forms of the protocols that have one.
import { join } from "node:path";
import type { Clock } from "../../core/ports/clock.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { LogReader } from "../../core/ports/log-reader.ts";
import type { Store } from "../../core/ports/store.ts";
import type { WebhookEncoding } from "../../core/ports/webhook-encoding.ts";
import { agentProtocol } from "../../protocols/agent-protocol/index.ts";
import { PROTOCOLS } from "../../protocols/registry.ts";
import { createWebhooks, type Webhooks } from "../../webhooks/webhooks.ts";
import type { Config } from "../config/load-config.ts";

export interface ServeWebhooksDeps {
  hub: Hub;
  log: LogReader;
  sealer: Sealer;
  store: Pick<Store, "subscriptions">;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
}

export function serveWebhooks(config: Config, { store, ...deps }: ServeWebhooksDeps): Webhooks {
  return createWebhooks({
    ...deps,
    // Processes that share a database share what is to be sent.
    ...(config.databaseUrl !== undefined && { subscriptions: store.subscriptions }),
    loadEncoding,
    allowHosts: config.webhookHosts,
    folder: join(config.dataDir, "webhooks"),
  });
}

/** The hub's own form is that of the Agent Protocol, whose events are the hub's. */
async function loadEncoding(id: string = agentProtocol.id): Promise<WebhookEncoding> {
  const encoding = await PROTOCOLS.find((each) => each.id === id)?.loadWebhookEncoding?.();
  if (encoding === undefined) throw new Error(`the protocol ${id} has no form for webhooks`);
  return encoding;
}
