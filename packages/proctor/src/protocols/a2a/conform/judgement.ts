// Judgements that many rules share: it answered, it refused with this error, what it sent has the right form.
import { shorten } from "../../../core/shorten.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import { A2A_ERRORS, type A2aReason } from "../errors.ts";
import type { A2aTask, SendResult } from "../model.ts";
import type { Attempt, Heard } from "./caller.ts";
import { assume, demand } from "./finding.ts";

/** Describes what came instead of an answer. */
export function describeError({ error, timedOut }: Pick<Attempt<unknown>, "error" | "timedOut">): string {
  if (timedOut) return "no answer within the limit";
  if (error === undefined) return "an answer";
  if (error.cause instanceof TransportFailure) return shorten(error.message, 200);
  return `${error.reason} (${error.code}): ${shorten(error.message, 160)}`;
}

/** Returns true when the agent answered with an error of A2A. */
export function isSaid({ error }: Pick<Attempt<unknown>, "error">): boolean {
  return error !== undefined && !(error.cause instanceof TransportFailure);
}

const show = (reason: A2aReason): string => `${reason} (${A2A_ERRORS[reason].code})`;

/** Demands a refusal with one of these errors. */
export function demandRefusal(
  attempt: Pick<Attempt<unknown>, "value" | "error" | "timedOut" | "transcript">,
  ...reasons: A2aReason[]
): void {
  const { error, transcript, value } = attempt;
  const expected = reasons.map(show).join(" or ");
  demand(error !== undefined, "it was not refused", transcript, { expected, got: value ?? "a result" });
  const reason = isSaid(attempt)
    ? "it was refused with another error"
    : "it was not answered with an error of A2A";
  const isRight = isSaid(attempt) && reasons.includes(error.reason);
  demand(isRight, reason, transcript, { expected, got: describeError(attempt) });
}

/** Demands that a stream is refused before its first frame. */
export function demandStreamRefusal(heard: Heard, ...reasons: A2aReason[]): void {
  const { frames, error, transcript } = heard;
  const expected = reasons.map(show).join(" or ");
  const got = frames.length === 0 ? "a stream without a frame" : `a stream of ${frames.length} frames`;
  demand(frames.length === 0 && error !== undefined, "it was not refused", transcript, { expected, got });
  demandRefusal(heard, ...reasons);
}

/** Returns the answer, which the rule demands. */
export function valueOf<T>(
  attempt: Pick<Attempt<T>, "value" | "error" | "timedOut" | "transcript">,
  otherwise?: string,
): T {
  const why = describeError(attempt);
  const reason = otherwise === undefined ? why : `${otherwise}: ${why}`;
  demand(attempt.value !== undefined, reason, attempt.transcript);
  return attempt.value;
}

/** Returns the task in an answer; without one the rule does not apply. */
export function taskIn(attempt: Attempt<SendResult>): A2aTask {
  const { value, transcript } = attempt;
  assume(value !== undefined, `no task: ${describeError(attempt)}`, transcript);
  assume(value.task !== undefined, "the agent answers with a message, and keeps no task", transcript);
  return value.task;
}

/** Demands that what was usable has the form of the version's own document. */
export function demandForm({
  problems,
  transcript,
}: Pick<Attempt<unknown>, "problems" | "transcript">): void {
  const [problem] = problems;
  if (problem === undefined) return;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  const section = problem.section === undefined ? "" : ` (section ${problem.section})`;
  demand(false, `${problem.message}${section}${more}`, transcript);
}

/** Returns true when a server answers that speaks this binding and this version. */
export function isThere(attempt: Attempt<unknown>): boolean {
  const { error } = attempt;
  if (error === undefined) return true;
  return isSaid(attempt) && error.reason !== "METHOD_NOT_FOUND" && error.reason !== "VERSION_NOT_SUPPORTED";
}

/**
 * Returns how a request was refused for its credentials, in the numbers of HTTP. What stands before an agent may refuse over HTTP alone, without a
 * word of A2A.
 */
export function refusalOf({ error, transcript: { status } }: Attempt<unknown>): 401 | 403 | undefined {
  if (error === undefined) return undefined;
  if (error.reason === "UNAUTHENTICATED" || status === 401) return 401;
  return error.reason === "PERMISSION_DENIED" || status === 403 ? 403 : undefined;
}
