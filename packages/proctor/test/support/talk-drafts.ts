// Drafts of what is said, asked, parked and wished in a run, drawn at random. Most sequences of them are not legal: applyEvent decides.
import * as fc from "fast-check";
import type { EventDraft } from "../../src/core/event.ts";
import { applyEvent, type RunState } from "../../src/core/fold.ts";
import { AUDIENCES, QUESTION_KINDS } from "../../src/core/question.ts";

const T0 = Date.parse("2026-01-01T00:00:00.000Z");

/** Few, so that questions are asked twice and answered by two; one is a name that objects have. */
export const questionId = fc.constantFrom("q1", "q2", "q3", "__proto__");
const messageId = fc.constantFrom("m1", "m2");
const time = fc.nat(100_000).map((ms) => new Date(T0 + ms).toISOString());
const text = fc.string({ maxLength: 8 });

const asked = fc
  .record({
    id: questionId,
    kind: fc.constantFrom(...QUESTION_KINDS),
    parts: fc.array(
      text.map((said) => ({ kind: "text" as const, text: said })),
      { maxLength: 2 },
    ),
    blocking: fc.boolean(),
    audience: fc.constantFrom(...AUDIENCES),
    expires_at: time,
  })
  .map<EventDraft>((question) => ({ type: "question.asked", payload: { question } }));

const closings = fc.oneof(
  fc.record({ id: questionId, answer: fc.uuid() }).map<EventDraft>(({ id, answer }) => ({
    type: "question.answered",
    payload: { id, answer: { id: answer, by: { kind: "client" }, outcome: "given" } },
  })),
  questionId.map<EventDraft>((id) => ({ type: "question.withdrawn", payload: { id, reason: "no longer" } })),
  fc
    .record({ id: questionId, effect: fc.constantFrom("deny" as const, "fail" as const) })
    .map<EventDraft>((payload) => ({ type: "question.expired", payload })),
  questionId.map<EventDraft>((id) => ({
    type: "question.expired",
    payload: { id, effect: "answer", answer: { id: "e", by: { kind: "policy" }, outcome: "given" } },
  })),
  questionId.map<EventDraft>((id) => ({ type: "question.notified", payload: { id, to: ["user:ada"] } })),
  questionId.map<EventDraft>((id) => ({ type: "question.delivered", payload: { id } })),
);

const messages = fc.oneof(
  fc
    .record({ id: messageId, role: fc.constantFrom("user" as const, "agent" as const), text })
    .map<EventDraft>(({ id, role, text: said }) => ({
      type: "message.added",
      payload: { message: { id, role, parts: [{ kind: "text", text: said }] } },
    })),
  messageId.map<EventDraft>((id) => ({ type: "message.opened", payload: { id, role: "agent" } })),
  messageId.map<EventDraft>((id) => ({ type: "message.extended", payload: { id, part: 0, text: "x" } })),
  messageId.map<EventDraft>((id) => ({
    type: "message.closed",
    payload: { id, chars: 1, sha256: "0", parts: [] },
  })),
  messageId.map<EventDraft>((id) => ({ type: "message.delivered", payload: { id } })),
);

const sessions = fc.oneof(
  fc.constant<EventDraft>({ type: "session.opened", payload: { protocol: "puppet" } }),
  fc.constant<EventDraft>({ type: "session.parked", payload: {} }),
  time.map<EventDraft>((check_at) => ({ type: "session.parked", payload: { check_at } })),
  fc.constant<EventDraft>({ type: "run.started", payload: { worker: "w" } }),
);

const wishes = fc.constantFrom<EventDraft>(
  { type: "run.cancel_requested", payload: { reason: "enough" } },
  { type: "run.pause_requested", payload: {} },
  { type: "run.paused", payload: {} },
  { type: "run.resume_requested", payload: {} },
  { type: "run.resumed", payload: {} },
);

export const talkDraft: fc.Arbitrary<EventDraft> = fc.oneof(
  { weight: 3, arbitrary: asked },
  { weight: 4, arbitrary: closings },
  { weight: 2, arbitrary: messages },
  { weight: 3, arbitrary: sessions },
  { weight: 2, arbitrary: wishes },
  fc.constant<EventDraft>({ type: "artifact.opened", payload: { id: "a", name: "a.txt" } }),
  fc.constant<EventDraft>({ type: "artifact.extended", payload: { id: "a", size_bytes: 1 } }),
  // What has nothing to do with a conversation must not disturb it.
  fc.constant<EventDraft>({ type: "tool_call", payload: { tool: "x" } }),
);

/** The state after the draft; undefined when the draft is not legal there. */
export function applied(state: RunState | null, draft: EventDraft, runId = "run-1", timeMs = T0) {
  try {
    return applyEvent(state, runId, draft, timeMs);
  } catch {
    return undefined;
  }
}
