// Sends one receiver the events of one run, in order, each until it is delivered or given up.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import { decodeRecord } from "../core/ports/store.ts";
import type { WebhookEncoding, WebhookEvent, WebhookRequest } from "../core/ports/webhook-encoding.ts";
import { traceparentOf } from "../runtime/span-ids.ts";
import { pause } from "../runtime/time/pause.ts";
import type { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { Outbox, Subscription } from "./outbox.ts";
import type { Outcome, Post } from "./post.ts";
import { isWanted } from "./read-webhook.ts";
import { sign } from "./sign.ts";

export interface NotifyDeps {
  hub: Pick<Hub, "readArtifact">;
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
/** Milliseconds before the second attempt, doubled after each: eight attempts take ten and a half minutes. */
const FIRST_DELAY_MS = 5000;

/** `over`: nothing more will be sent; `left`: a signal ended it earlier, and the rest is left for the next start. */
export type Notified = "over" | "left";

/** Resolves when every event is delivered or given up, or the receiver wants no more, or a signal ended it earlier. */
export async function notifyReceiver(
  deps: NotifyDeps,
  given: Subscription,
  signals: NotifySignals,
): Promise<Notified> {
  const { log, outbox } = deps;
  const subscription = { ...given };
  const { run_id: runId, receiver } = given;
  const encode = deps.encoding.open({ runId, hub: deps.hub, ...(receiver && { receiver }) });
  const { defaultNames } = deps.encoding;
  let traced: Record<string, string> = {};
  try {
    for await (const records of log.records(runId, -1, signals.stop)) {
      for (const record of records) {
        const event = decodeRecord(record);
        if (event.type === "run.created")
          traced = { traceparent: traceparentOf({ runId, traceId: event.payload.trace_id }) };
        for (const encoded of await encode(event)) {
          if (encoded.seq <= subscription.settled) continue;
          if (!isWanted(encoded.type, subscription.events ?? defaultNames)) continue;
          const outcome = await deliver(deps, subscription, encoded, traced, signals);
          if (outcome === "left") return "left";
          if (outcome === "gone") return "over";
          subscription.settled = encoded.seq;
          subscription.struggling = outcome !== "delivered";
          await outbox.update(subscription);
        }
        if (event.type !== "run.ended" || event.payload.retried_as === undefined) continue;
        const next = { ...subscription, run_id: event.payload.retried_as, settled: -1 };
        // A receiver keeps its name; any other is subscribed to the next run as if it had been asked for there.
        if (receiver) return await notifyReceiver(deps, next, signals);
        await deps.handOver(next);
      }
    }
  } catch (error) {
    // The run was deleted: there is nothing more to send.
    if (!ProctorError.is(error) || error.code !== "RUN_NOT_FOUND") throw error;
  }
  return signals.stop.aborted ? "left" : "over";
}

async function deliver(
  deps: NotifyDeps,
  subscription: Subscription,
  event: WebhookEvent,
  traced: Readonly<Record<string, string>>,
  { stop, hurry }: NotifySignals,
): Promise<Outcome | "left"> {
  const { post, clock, limit, report } = deps;
  const { url, struggling } = subscription;
  const id = `${event.task_id}:${event.seq}`;
  const { body, headers: own, secret } = requestOf(deps.encoding, subscription, event, id);
  const maxAttempts = struggling ? 1 : MAX_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    const headers = {
      "content-type": "application/json",
      "user-agent": "proctor",
      "x-proctor-delivery": id,
      "x-proctor-event": event.type,
      ...traced,
      ...own,
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

/** Returns the request, in the protocol's own form where a receiver asked for it, otherwise in the hub's. */
function requestOf(
  encoding: WebhookEncoding,
  { receiver, secret }: Subscription,
  event: WebhookEvent,
  id: string,
): WebhookRequest {
  const own = receiver && encoding.request?.(event, receiver);
  if (own) return own;
  return { body: JSON.stringify({ id, ...event }), headers: {}, ...(secret !== undefined && { secret }) };
}
