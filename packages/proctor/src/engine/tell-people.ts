// Notifies people of questions that they may answer, each by an envelope. Notices are recorded in the run's log, so that a hub that was killed
// in between sends the missing ones at its next start, and no one is notified twice.
import { createHash } from "node:crypto";
import type { EnvelopeDraft } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import type { EventDraft } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import { peopleOf } from "../core/people.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { OpenQuestion, Store } from "../core/ports/store.ts";
import type { Question } from "../core/question.ts";
import { createRedactor } from "../core/redact.ts";
import type { Run } from "../core/run.ts";
import { newSpanId } from "../core/trace.ts";
import { toNewEvent } from "./new-event.ts";

export interface TellPeople {
  /** Reports that a question is on disk. */
  asked(runId: string, question: Question): void;
  /** Sends the notices that the last process did not send. */
  start(): Promise<void>;
  /** Resolves when no notice is under way any more. */
  settled(): Promise<void>;
}

/** Longest life of an envelope: a week, in milliseconds. */
const MAX_TTL_MS = 7 * 86_400_000;

export function createTellPeople(deps: {
  store: Pick<Store, "openQuestions" | "readRun" | "append">;
  clock: Clock;
  /** Sends in the hub's name; resolves when it is on disk. The same id is sent once. */
  post: (draft: EnvelopeDraft) => Promise<void>;
  report: (problem: unknown, runId: string) => void;
}): TellPeople {
  const { store, clock, post, report } = deps;
  const telling = new Set<Promise<void>>();
  const nothingToHide = createRedactor([]);

  async function tell(runId: string, questionId: string): Promise<void> {
    const run = await store.readRun(runId);
    const question = run?.questions.find(({ id }) => id === questionId);
    if (run === undefined || question === undefined || isTold(question)) return;
    const people = peopleOf(run);
    if (people.length === 0 || question.audience === "simulator") return;
    const { items } = await store.openQuestions({ run: runId });
    const goal = items[0]?.goal ?? null;
    for (const to of people) await send(noticeOf(run, question, goal, to, clock.now()));
    const event: EventDraft = { type: "question.notified", payload: { id: questionId, to: [...people] } };
    await store.append(runId, ({ run: now }) =>
      now.questions.some(({ id }) => id === questionId)
        ? [toNewEvent(event, nothingToHide, clock.now())]
        : [],
    );
  }

  /** Sends a notice. A question that is too large for an envelope is only named in it, and read in the run. */
  async function send({ draft, payload }: Notice): Promise<void> {
    try {
      await post({ ...draft, payload });
    } catch (error) {
      if (!ProctorError.is(error) || error.code !== "PAYLOAD_TOO_LARGE") throw error;
      const { question: _, subject: __, options: ___, ...short } = payload;
      await post({ ...draft, payload: { ...short, omitted: "the question is too large for an envelope" } });
    }
  }

  function begin(runId: string, questionId: string): Promise<void> {
    const work = tell(runId, questionId)
      .catch((error: unknown) => report(error, runId))
      .finally(() => telling.delete(work));
    telling.add(work);
    return work;
  }

  return {
    asked: (runId, { id }) => void begin(runId, id),
    async start() {
      for (let cursor: string | null = null; ;) {
        const page = await store.openQuestions(cursor === null ? {} : { cursor });
        for (const { run_id: runId, question } of page.items) await begin(runId, question.id);
        cursor = page.next_cursor;
        if (cursor === null) return;
      }
    },
    async settled() {
      await Promise.all(telling);
    },
  };
}

interface Notice {
  draft: EnvelopeDraft;
  payload: JsonObject;
}

function isTold({ notified = [] }: Question): boolean {
  return notified.length > 0;
}

function noticeOf(
  { id: runId, agent, trace_id: traceId }: Run,
  question: Question,
  goal: OpenQuestion["goal"],
  to: string,
  nowMs: number,
): Notice {
  const { id, subject, options, expires_at: expires } = question;
  const draft: EnvelopeDraft = {
    id: `approve:${createHash("sha256")
      .update(JSON.stringify([runId, id, to]))
      .digest("hex")}`,
    to,
    type: "request",
    action: "approve",
    trace: { traceId, spanId: newSpanId() },
    ttl: Math.min(MAX_TTL_MS, Math.max(1, Date.parse(expires) - nowMs)),
  };
  const payload = {
    run_id: runId,
    question_id: id,
    agent,
    goal: goal === null ? null : { ...goal },
    expires_at: expires,
    ...(subject && { subject }),
    ...(options && { options }),
    question,
  };
  return { draft, payload };
}
