// Sends one receiver the events of one run, in order, each until it is delivered or given up.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { decodeRecord } from "../core/ports/store.ts";
import type { WebhookEncoding, WebhookEvent } from "../core/ports/webhook-encoding.ts";
import { pause } from "../runtime/time/pause.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { Outbox, Subscription } from "./outbox.ts";
import type { Outcome, Post } from "./post.ts";
import { isWanted } from "./read-webhook.ts";
import { sign } from "./sign.ts";

export interface NotifyDeps {
  log: LogReader;
  /** Reports a problem that no client can be told. */
  report: (problem: unknown, runId: string) => void;
  encoding: WebhookEncoding;
  outbox: Outbox;
  post: Post;
  clock: Clock;
  /** Limits how many requests are in flight at the same time. */
  limit: ConcurrencyLimit;
  /** Subscribes the same receiver to the run that takes over by the retry policy. */
  handOver: (subscription: Subscription) => Promise<void>;
}

interface NotifySignals {
  /** Ends everything at once; what is not delivered is left for the next start. */
  stop: AbortSignal;
  /** Ends the waiting between attempts: an event that was not delivered is left for the next start. */
  hurry: AbortSignal;
}

export const MAX_ATTEMPTS = 8;
/** The first delay between attempts, doubled after each: eight attempts take ten and a half minutes. */
const FIRST_DELAY_MS = 5000;

/** Resolves when every event is delivered or given up, or a signal ended it earlier. */
export async function notifyReceiver(
  deps: NotifyDeps,
  given: Subscription,
  signals: NotifySignals,
): Promise<void> {
  const { log, outbox } = deps;
  const subscription = { ...given };
  const encode = deps.encoding.open();
  const { defaultNames } = deps.encoding;
  try {
    for await (const records of log.records(given.run_id, -1, signals.stop)) {
      for (const record of records) {
        const event = decodeRecord(record);
        for (const encoded of encode(event)) {
          if (encoded.seq <= subscription.settled) continue;
          if (!isWanted(encoded.type, subscription.events ?? defaultNames)) continue;
          const outcome = await deliver(deps, subscription, encoded, signals);
          if (outcome === "left") return;
          if (outcome === "gone") return await outbox.remove(given.run_id);
          subscription.settled = encoded.seq;
          subscription.struggling = outcome !== "delivered";
          await outbox.update(subscription);
        }
        if (event.type === "run.ended" && event.payload.retried_as !== undefined)
          await deps.handOver({ ...subscription, run_id: event.payload.retried_as, settled: -1 });
      }
    }
  } catch (error) {
    // Somebody deleted the run: there is nothing more to send.
    if (!ProctorError.is(error) || error.code !== "RUN_NOT_FOUND") throw error;
  }
  if (!signals.stop.aborted) await outbox.remove(given.run_id);
}

async function deliver(
  deps: NotifyDeps,
  { url, secret, struggling }: Subscription,
  event: WebhookEvent,
  { stop, hurry }: NotifySignals,
): Promise<Outcome | "left"> {
  const { post, clock, limit, report } = deps;
  const id = `${event.task_id}:${event.seq}`;
  const body = JSON.stringify({ id, ...event });
  const maxAttempts = struggling ? 1 : MAX_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    const headers = {
      "content-type": "application/json",
      "user-agent": "proctor",
      "x-proctor-delivery": id,
      "x-proctor-event": event.type,
      ...(secret !== undefined && { "x-proctor-signature": sign(secret, body, clock.now()) }),
    };
    const outcome = await limit(() => post(url, body, headers, stop));
    if (typeof outcome === "string") return outcome;
    if (stop.aborted) return "left";
    if (attempt >= maxAttempts) {
      // Not the whole URL: receivers put keys into paths and queries.
      const where = new URL(url).host;
      const what = `the webhook at ${where} did not take ${event.type} in ${attempt} attempts: ${outcome.problem}`;
      report(new Error(what), event.task_id);
      return outcome;
    }
    const patience = AbortSignal.any([stop, hurry]);
    await pause(clock, FIRST_DELAY_MS * 2 ** (attempt - 1), patience).catch(() => undefined);
    if (patience.aborted) return "left";
  }
}
