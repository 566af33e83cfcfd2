// Gives a hub of this process its webhooks, in the form of the protocol that has one.
import { join } from "node:path";
import type { Hub } from "../../core/ports/hub.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { LogReader } from "../../core/ports/log-reader.ts";
import type { WebhookEncoding } from "../../core/ports/webhook-encoding.ts";
import { PROTOCOLS } from "../../protocols/registry.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { createWebhooks, type Webhooks } from "../../webhooks/webhooks.ts";
import type { Config } from "../config/load-config.ts";

export interface ServeWebhooksDeps {
  hub: Hub;
  log: LogReader;
  sealer: Sealer;
  report: (problem: unknown, runId: string) => void;
}

export function serveWebhooks(config: Config, deps: ServeWebhooksDeps): Webhooks {
  return createWebhooks({
    ...deps,
    loadEncoding,
    clock: systemClock,
    allowHosts: config.webhookHosts,
    folder: join(config.dataDir, "webhooks"),
  });
}

async function loadEncoding(): Promise<WebhookEncoding> {
  for (const protocol of PROTOCOLS) if (protocol.loadWebhookEncoding) return protocol.loadWebhookEncoding();
  throw new Error("no protocol has a form for webhooks");
}
