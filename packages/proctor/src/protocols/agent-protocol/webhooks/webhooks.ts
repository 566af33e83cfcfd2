// Webhooks of tasks: takes them out of requests for runs, and tells receivers what happens. A receiver is told everything at least
// once, also across restarts, or is given up.
import { setMaxListeners } from "node:events";
import { MASK } from "../../../core/agent.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { ClientRunRequest, Hub } from "../../../core/ports/hub.ts";
import type { Sealer } from "../../../core/ports/sealer.ts";
import { isTerminal, type Run } from "../../../core/run.ts";
import type { SurfaceOptions } from "../../protocol.ts";
import { createAllowHost } from "./allow-host.ts";
import { createPlaces } from "./places.ts";
import { openOutbox, type Subscription } from "./outbox.ts";
import { createPost, type PostOptions } from "./post.ts";
import { readWebhook, refusePrivate } from "./read-webhook.ts";
import { tellReceiver } from "./tell-receiver.ts";

export interface WebhooksOptions
  extends Pick<SurfaceOptions, "hub" | "log" | "report">, Pick<PostOptions, "lookup"> {
  /** Absolute. Holds who is still to be told what. */
  folder: string;
  sealer: Sealer;
  /** Hosts (`name` or `name:port`) that may be private. */
  allowHosts: readonly string[];
  clock: Clock;
  timeoutMs?: number;
}

export interface Webhooks {
  /** The hub, with `options.webhook` of new runs understood. */
  hub: Hub;
  /** Goes on with what was left the last time. */
  start(): Promise<void>;
  /** Stops telling; the rest is kept. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const AT_ONCE = 32;

export async function openWebhooks(options: WebhooksOptions): Promise<Webhooks> {
  const { hub, log, report, clock, sealer, timeoutMs = TIMEOUT_MS } = options;
  const allow = createAllowHost(options.allowHosts);
  const outbox = await openOutbox(options.folder, sealer);
  const post = createPost({ allow, timeoutMs, ...(options.lookup && { lookup: options.lookup }) });
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const told = new Map<string, Promise<void>>();
  const inTurn = createPlaces(AT_ONCE);

  async function subscribe(subscription: Subscription): Promise<void> {
    if (told.has(subscription.run_id)) return;
    await outbox.add(subscription);
    begin(subscription);
  }

  function begin(subscription: Subscription): void {
    const { run_id: id } = subscription;
    if (told.has(id) || stopping.signal.aborted) return;
    const deps = { log, report, outbox, post, clock, inTurn, handOver: subscribe };
    const work = tellReceiver(deps, subscription, stopping.signal)
      .catch((error: unknown) => report(error, id))
      .finally(() => told.delete(id));
    told.set(id, work);
  }

  async function create<R extends ClientRunRequest>(
    request: R,
    submit: (masked: R) => Promise<{ run: Run; created: boolean }>,
  ): Promise<{ run: Run; created: boolean }> {
    if (request.options?.webhook === undefined) return submit(request);
    const webhook = readWebhook(request.options.webhook);
    refusePrivate(webhook, allow);
    const { secret, ...shown } = webhook;
    const masked = { ...shown, ...(secret !== undefined && { secret: MASK }) };
    const made = await submit({ ...request, options: { ...request.options, webhook: masked } });
    const { id, status } = made.run;
    // One that was created before has its receiver, unless the hub died between the two.
    if (made.created || !isTerminal(status))
      await subscribe({ ...webhook, run_id: id, settled: -1, struggling: false });
    return made;
  }

  return {
    hub: {
      ...hub,
      submit: (request, how) => create(request, (masked) => hub.submit(masked, how)),
      prepare: (request, how) => create(request, (masked) => hub.prepare(masked, how)),
      openClientRun: (request, how) => create(request, (masked) => hub.openClientRun(masked, how)),
    },
    async start() {
      for (const subscription of await outbox.all(report)) begin(subscription);
    },
    async close() {
      stopping.abort();
      await Promise.all(told.values());
    },
  };
}
