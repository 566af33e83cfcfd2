// Gives a hub of this process its webhooks, in the form of the protocol that has one.
import { join } from "node:path";
import type { Hub } from "../../core/ports/hub.ts";
import type { Sealer } from "../../core/ports/sealer.ts";
import type { Store } from "../../core/ports/store.ts";
import type { WebhookEncoding } from "../../core/ports/webhook-encoding.ts";
import { createNotices, followRecords } from "../../engine/follow.ts";
import { PROTOCOLS } from "../../protocols/registry.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { createWebhooks, type Webhooks } from "../../webhooks/webhooks.ts";
import type { Config } from "../config.ts";

export interface ServeWebhooksDeps {
  hub: Hub;
  store: Store;
  sealer: Sealer;
  report: (problem: unknown, runId: string) => void;
}

export function serveWebhooks(config: Config, deps: ServeWebhooksDeps): Webhooks {
  const { hub, store, sealer, report } = deps;
  const notices = createNotices(store, systemClock);
  const webhooks = createWebhooks({
    hub,
    report,
    sealer,
    loadEncoding,
    clock: systemClock,
    allowHosts: config.webhookHosts,
    folder: join(config.dataDir, "webhooks"),
    follow: (runId, after, signal) => followRecords(store, notices, runId, after, signal),
  });
  async function close(): Promise<void> {
    await webhooks.close();
    notices.close();
  }
  return { ...webhooks, close };
}

async function loadEncoding(): Promise<WebhookEncoding> {
  for (const protocol of PROTOCOLS) if (protocol.loadWebhookEncoding) return protocol.loadWebhookEncoding();
  throw new Error("no protocol has a form for webhooks");
}
