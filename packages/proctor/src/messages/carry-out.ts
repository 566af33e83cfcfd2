// Carries out `execute` for agents that know no envelopes: as a run, whose log is reported to the sender. How far it was reported is written with
// each reply, so that a hub that was killed continues exactly there.
import { createHash } from "node:crypto";
import type { Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { LogReader } from "../core/ports/log-reader.ts";
import type { MessageStore, StoredMessage } from "../core/ports/message-store.ts";
import { decodeRecord } from "../core/ports/store.ts";
import type { PostOffice } from "./post-office.ts";
import { readExecute } from "./read-execute.ts";
import { createTellSender, type Telling } from "./tell-sender.ts";

export interface CarryOutDeps {
  store: MessageStore;
  hub: Pick<Hub, "submit">;
  log: Pick<LogReader, "records">;
  office: PostOffice;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
  /** Ends the following; the next start continues it. */
  stop: AbortSignal;
}

export interface CarryOut {
  /** Starts the run, or finds the one that was started before a crash; resolves when it is on disk. */
  begin(message: StoredMessage, envelope: Envelope, agent: string): Promise<string>;
  /** Resolves when no run is followed any more. */
  settled(): Promise<void>;
}

export function createCarryOut(deps: CarryOutDeps): CarryOut {
  const { store, hub, log, office, clock, report, stop } = deps;
  const following = new Set<Promise<void>>();

  async function follow(
    message: StoredMessage,
    request: Envelope,
    agent: string,
    runId: string,
  ): Promise<void> {
    const { position } = message;
    // The row tells of the run that is followed; of one that took over, nothing was told yet.
    const told = message.runId === runId ? message.told : -1;
    const teller = createTellSender(runId);
    for await (const records of log.records(runId, -1, stop)) {
      for (const record of records) {
        const event = decodeRecord(record);
        const telling = teller.next(event);
        if (telling === undefined || event.sequence <= told) continue;
        const isLast = telling.type !== "notification";
        const reply = { ...telling, id: replyId(runId, telling, event.sequence), from: agent };
        await office.reply(request, reply, {
          told: { position, sequence: event.sequence },
          whenFull: isLast ? "bury" : "drop",
        });
      }
    }
    if (stop.aborted) return;
    const next = teller.retriedAs;
    if (next === undefined) return store.finish(position, clock.now());
    await store.progress(position, { runId: next, told: -1 });
    await follow({ ...message, runId: next, told: -1 }, request, agent, next);
  }

  async function gone(
    message: StoredMessage,
    request: Envelope,
    agent: string,
    runId: string,
  ): Promise<void> {
    const payload = { run_id: runId, code: "RUN_NOT_FOUND", message: "the run was removed before its end" };
    const reply = { id: `${runId}:end`, from: agent, type: "error", action: "execute", payload } as const;
    await office.reply(request, reply);
    await store.finish(message.position, clock.now());
  }

  function track(message: StoredMessage, request: Envelope, agent: string, runId: string): void {
    const work = follow(message, request, agent, runId)
      .catch((error: unknown) => {
        if (stop.aborted) return;
        if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND")
          return gone(message, request, agent, runId);
        report(error, runId);
      })
      .catch((error: unknown) => report(error, runId))
      .finally(() => following.delete(work));
    following.add(work);
  }

  return {
    async begin(message, envelope, agent) {
      if (message.runId !== null) {
        track(message, envelope, agent, message.runId);
        return message.runId;
      }
      const { run } = await hub.submit(readExecute(agent, envelope), {
        idempotencyKey: idempotencyKeyOf(envelope),
        traceId: envelope.trace.traceId,
        parentSpanId: envelope.trace.spanId,
      });
      await store.progress(message.position, { runId: run.id });
      track({ ...message, runId: run.id, told: -1 }, envelope, agent, run.id);
      return run.id;
    },
    async settled() {
      await Promise.all(following);
    },
  };
}

function replyId(runId: string, { type }: Telling, sequence: number): string {
  return type === "notification" ? `${runId}:${sequence}` : `${runId}:end`;
}

function idempotencyKeyOf({ from, id }: Envelope): string {
  return `envelope:${createHash("sha256")
    .update(JSON.stringify([from, id]))
    .digest("hex")}`;
}
