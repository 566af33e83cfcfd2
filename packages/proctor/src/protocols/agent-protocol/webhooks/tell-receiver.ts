// Tells one receiver the events of one task, in order, each until it has arrived or is given up.
import { pause } from "../../../runtime/time/pause.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { decodeRecord } from "../../../core/ports/store.ts";
import type { SurfaceOptions } from "../../protocol.ts";
import { NOTHING_YET, taskEvents, type TaskEvent } from "../shared/task-events.ts";
import type { Outbox, Subscription } from "./outbox.ts";
import type { Outcome, Post } from "./post.ts";
import { isWanted } from "./read-webhook.ts";
import { sign } from "./sign.ts";

export interface TellDeps extends Pick<SurfaceOptions, "log" | "report"> {
  outbox: Outbox;
  post: Post;
  clock: Clock;
  /** Holds a place among those who send at the same time. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** The run that takes over by retry policy has the same receiver. */
  handOver: (subscription: Subscription) => Promise<void>;
}

export const MAX_ATTEMPTS = 8;
/** Doubled each time: eight attempts take ten and a half minutes. */
const FIRST_DELAY_MS = 5000;

/** Resolves when everything is settled, or the signal fires; then the rest is for the next time. */
export async function tellReceiver(deps: TellDeps, given: Subscription, signal: AbortSignal): Promise<void> {
  const { log, outbox } = deps;
  const subscription = { ...given };
  let state = NOTHING_YET;
  try {
    for await (const records of log.records(given.run_id, -1, signal)) {
      for (const record of records) {
        const event = decodeRecord(record);
        const { events, after } = taskEvents(event, state);
        state = after;
        for (const told of events) {
          if (told.seq <= subscription.settled || !isWanted(told.type, subscription)) continue;
          const outcome = await deliver(deps, subscription, told, signal);
          if (signal.aborted && outcome !== "delivered") return;
          if (outcome === "gone") return await outbox.remove(given.run_id);
          subscription.settled = told.seq;
          subscription.struggling = outcome !== "delivered";
          await outbox.update(subscription);
        }
        if (event.type === "run.ended" && event.payload.retried_as !== undefined)
          await deps.handOver({ ...subscription, run_id: event.payload.retried_as, settled: -1 });
      }
    }
  } catch (error) {
    // Who deletes a task knows that he did.
    if (!ProctorError.is(error) || error.code !== "RUN_NOT_FOUND") throw error;
  }
  if (!signal.aborted) await outbox.remove(given.run_id);
}

async function deliver(
  deps: TellDeps,
  { url, secret, struggling }: Subscription,
  event: TaskEvent,
  signal: AbortSignal,
): Promise<Outcome> {
  const { post, clock, inTurn, report } = deps;
  const id = `${event.task_id}:${event.seq}`;
  const body = JSON.stringify({ id, ...event });
  const limit = struggling ? 1 : MAX_ATTEMPTS;
  for (let attempt = 1; ; attempt += 1) {
    const headers = {
      "content-type": "application/json",
      "user-agent": "proctor",
      "x-proctor-delivery": id,
      "x-proctor-event": event.type,
      ...(secret !== undefined && { "x-proctor-signature": sign(secret, body, clock.now()) }),
    };
    const outcome = await inTurn(() => post(url, body, headers, signal));
    if (signal.aborted || typeof outcome === "string") return outcome;
    if (attempt >= limit) {
      // Not the whole URL: receivers put keys into paths and queries.
      const where = new URL(url).host;
      const what = `the webhook at ${where} did not take ${event.type} in ${attempt} attempts: ${outcome.problem}`;
      report(new Error(what), event.task_id);
      return outcome;
    }
    await pause(clock, FIRST_DELAY_MS * 2 ** (attempt - 1), signal).catch(() => undefined);
    if (signal.aborted) return outcome;
  }
}
