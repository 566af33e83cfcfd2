// Webhooks of runs: takes them out of requests for runs, and notifies their receivers and those that were asked for later. Every event is
// sent at least once, even across restarts, or is given up.
import { setMaxListeners } from "node:events";
import { MASK } from "../core/agent.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { ClientRunRequest, Hub } from "../core/ports/hub.ts";
import type { Receivers } from "../core/ports/receivers.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import type { SubscriptionStore } from "../core/ports/subscription-store.ts";
import type { WebhookEncoding } from "../core/ports/webhook-encoding.ts";
import { isTerminal, type Run } from "../core/run.ts";
import { waitAtMost } from "../core/wait-at-most.ts";
import { createAllowHost } from "./allow-host.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import { notifyReceiver, type NotifyDeps } from "./notify-receiver.ts";
import { createOutbox, subscriptionKey, type Subscription } from "./outbox.ts";
import { createPost, type PostOptions } from "./post.ts";
import { createSharedOutbox, RENEW_MS } from "./shared-outbox.ts";
import { readWebhook, refusePrivate } from "./read-webhook.ts";
import { createReceivers } from "./receivers.ts";

export interface WebhooksOptions extends Pick<NotifyDeps, "log" | "report">, Pick<PostOptions, "lookup"> {
  hub: Hub;
  /**
   * Loads how events are written down, in the form of this protocol, or in the hub's own; called when the first webhook of a form is
   * asked for or continued. Throws for a protocol that has no form.
   */
  loadEncoding: (protocol?: string) => Promise<WebhookEncoding>;
  /** The absolute path of the folder in which subscriptions are stored, where no other process sends. */
  folder: string;
  /** Where subscriptions are stored instead, where other processes send as well. */
  subscriptions?: SubscriptionStore;
  sealer: Sealer;
  /** Hosts (`name` or `name:port`) that may be reached although they are private. */
  allowHosts: readonly string[];
  clock: Clock;
}

export interface Webhooks {
  /** The hub, with `options.webhook` of new runs carried out. */
  hub: Hub;
  /** Receivers that are asked for while a run works. */
  receivers: Receivers;
  /** Continues what was left when the last process ended. */
  start(): Promise<void>;
  /** Sends what ended runs have left, each event once and for a few seconds at most. The rest is left for the next start. */
  finish(): Promise<void>;
  /** Stops sending; the rest is left for the next start. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;
const MAX_REQUESTS_AT_ONCE = 32;
/** Milliseconds that `finish` waits: as long as one request may take. */
const FINISH_MS = REQUEST_TIMEOUT_MS;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { hub, log, report, clock, sealer, loadEncoding, lookup } = options;
  const allow = createAllowHost(options.allowHosts);
  const outbox = options.subscriptions
    ? createSharedOutbox(options.subscriptions, sealer, clock)
    : createOutbox(options.folder, sealer);
  const post = createPost({ allow, timeoutMs: REQUEST_TIMEOUT_MS, ...(lookup && { lookup }) });
  const stopping = new AbortController();
  const hurrying = new AbortController();
  setMaxListeners(0, stopping.signal, hurrying.signal);
  const signals = { stop: stopping.signal, hurry: hurrying.signal };
  const active = new Map<string, { runId: string; work: Promise<void>; lost: AbortController }>();
  let takesOver = false;
  let stopRenewing = (): void => undefined;
  let renewing: Promise<unknown> = Promise.resolve();
  const limit = createConcurrencyLimit(MAX_REQUESTS_AT_ONCE);
  const receivers = createReceivers({
    outbox,
    allow,
    hub,
    clock,
    report,
    loadEncoding,
    begin,
    stopping: stopping.signal,
  });

  async function subscribe(subscription: Subscription): Promise<void> {
    if (active.has(subscriptionKey(subscription))) return;
    if (!(await outbox.addNew(subscription))) return;
    void begin(subscription, await loadEncoding(), signals.stop);
  }

  function begin(subscription: Subscription, encoding: WebhookEncoding, stop: AbortSignal): Promise<void> {
    const key = subscriptionKey(subscription);
    const { run_id: runId, receiver } = subscription;
    const running = active.get(key);
    if (running !== undefined || stop.aborted) return running?.work ?? Promise.resolve();
    const deps = { hub, log, report, outbox, post, clock, limit, encoding, handOver: subscribe };
    const lost = new AbortController();
    const ending = outbox.shared ? AbortSignal.any([stop, lost.signal]) : stop;
    const work = notifyReceiver(deps, subscription, { stop: ending, hurry: signals.hurry })
      .then(async (how) => {
        if (how === "over") await (receiver ? receivers.finish(subscription) : outbox.remove(subscription));
      })
      .catch((error: unknown) => report(error, runId))
      .finally(() => active.delete(key));
    active.set(key, { runId, work, lost });
    return work;
  }

  /** Stops what another process sends now or no client wants any more, and takes over what a process that died left. */
  async function renew(renewOwn: () => Promise<string[]>): Promise<void> {
    const own = new Set(await renewOwn());
    for (const [key, { lost }] of active) if (!own.has(key)) lost.abort();
    if (takesOver) await takeOver();
  }

  async function takeOver(): Promise<void> {
    for (const subscription of await receivers.load())
      void begin(subscription, await loadEncoding(), signals.stop);
  }

  function keepRenewing(renewOwn: () => Promise<string[]>): void {
    stopRenewing = clock.after(RENEW_MS, () => {
      renewing = renew(renewOwn)
        .catch((error: unknown) => report(error, ""))
        .finally(() => stopping.signal.aborted || keepRenewing(renewOwn));
    });
  }

  if (outbox.shared) keepRenewing(() => outbox.shared?.renew() ?? Promise.resolve([]));

  async function create<R extends ClientRunRequest>(
    request: R,
    submit: (masked: R) => Promise<{ run: Run; created: boolean }>,
  ): Promise<{ run: Run; created: boolean }> {
    if (request.options?.webhook === undefined) return submit(request);
    const webhook = readWebhook(request.options.webhook, await loadEncoding());
    refusePrivate(webhook, allow);
    const { secret, ...shown } = webhook;
    const masked = { ...shown, ...(secret !== undefined && { secret: MASK }) };
    const made = await submit({ ...request, options: { ...request.options, webhook: masked } });
    const { id, status } = made.run;
    // A run that existed before has its receiver already, unless the hub died between the two writes.
    if (made.created || !isTerminal(status))
      await subscribe({ ...webhook, run_id: id, settled: -1, struggling: false });
    return made;
  }

  async function hasEnded(runId: string): Promise<boolean> {
    return isTerminal((await hub.run(runId)).status);
  }

  return {
    hub: {
      ...hub,
      submit: (request, how) => create(request, (masked) => hub.submit(masked, how)),
      prepare: (request, how) => create(request, (masked) => hub.prepare(masked, how)),
      openClientRun: (request, how) => create(request, (masked) => hub.openClientRun(masked, how)),
    },
    receivers,
    async start() {
      takesOver = true;
      await takeOver();
    },
    async finish() {
      if (active.size === 0) return;
      hurrying.abort();
      const ending = Promise.all(
        Array.from(active.values(), async ({ runId, work }) => {
          if (await hasEnded(runId).catch(() => false)) await work;
        }),
      );
      await waitAtMost(clock, FINISH_MS, ending);
    },
    async close() {
      stopping.abort();
      stopRenewing();
      await renewing;
      await Promise.all(Array.from(active.values(), ({ work }) => work));
    },
  };
}
