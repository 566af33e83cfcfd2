// Judgements that many rules share: it answered, it refused with this error, what it sent has the right form.
import { shorten } from "../../../core/shorten.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import { A2A_ERRORS, type A2aReason } from "../errors.ts";
import type { A2aTask, SendResult } from "../model.ts";
import type { Attempt, Heard } from "./caller.ts";
import { broken, KEPT, noOccasion, type A2aFinding } from "./finding.ts";

/** What came instead of an answer. */
export function describeError({ error, timedOut }: Pick<Attempt<unknown>, "error" | "timedOut">): string {
  if (timedOut) return "no answer within the limit";
  if (error === undefined) return "an answer";
  if (error.cause instanceof TransportFailure) return shorten(error.message, 200);
  return `${error.reason} (${error.code}): ${shorten(error.message, 160)}`;
}

/** The agent said something that is an error of A2A. */
export function isSaid({ error }: Pick<Attempt<unknown>, "error">): boolean {
  return error !== undefined && !(error.cause instanceof TransportFailure);
}

const show = (reason: A2aReason): string => `${reason} (${A2A_ERRORS[reason].code})`;

/** It has to be refused, with one of these errors. */
export function refusedWith(
  attempt: Pick<Attempt<unknown>, "value" | "error" | "timedOut" | "transcript">,
  ...reasons: A2aReason[]
): A2aFinding {
  const { error, transcript, value } = attempt;
  const expected = reasons.map(show).join(" or ");
  if (error === undefined)
    return broken("it was not refused", transcript, { expected, got: value ?? "a result" });
  if (isSaid(attempt) && reasons.includes(error.reason)) return KEPT;
  const reason = isSaid(attempt)
    ? "it was refused with another error"
    : "it was not answered with an error of A2A";
  return broken(reason, transcript, { expected, got: describeError(attempt) });
}

/** A stream has to be refused before its first frame. */
export function streamRefusedWith(heard: Heard, ...reasons: A2aReason[]): A2aFinding {
  const { frames, error } = heard;
  if (frames.length === 0 && error !== undefined) return refusedWith(heard, ...reasons);
  const expected = reasons.map(show).join(" or ");
  const got = frames.length === 0 ? "a stream without a frame" : `a stream of ${frames.length} frames`;
  return broken("it was not refused", heard.transcript, { expected, got });
}

/** The task in an answer, or why there is none. */
export function taskIn(attempt: Attempt<SendResult>): A2aTask | A2aFinding {
  const { value, transcript } = attempt;
  if (value === undefined) return noOccasion(`no task: ${describeError(attempt)}`, transcript);
  return value.task ?? noOccasion("the agent answers with a message, and keeps no task", transcript);
}

export function isFinding(value: object): value is A2aFinding {
  return "outcome" in value;
}

/** The form of what was usable, by the version's own document. */
export function wellFormed({
  problems,
  transcript,
}: Pick<Attempt<unknown>, "problems" | "transcript">): A2aFinding {
  const [problem] = problems;
  if (problem === undefined) return KEPT;
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : "";
  const section = problem.section === undefined ? "" : ` (section ${problem.section})`;
  return broken(`${problem.message}${section}${more}`, transcript);
}

/** There is somebody, who speaks this binding and this version. */
export function isThere(attempt: Attempt<unknown>): boolean {
  const { error } = attempt;
  if (error === undefined) return true;
  return isSaid(attempt) && error.reason !== "METHOD_NOT_FOUND" && error.reason !== "VERSION_NOT_SUPPORTED";
}

/**
 * How a request was refused for its credentials, in the numbers of HTTP. What stands before an agent may refuse over HTTP alone, without a word of
 * A2A.
 */
export function refusalOf({ error, transcript: { status } }: Attempt<unknown>): 401 | 403 | undefined {
  if (error === undefined) return undefined;
  if (error.reason === "UNAUTHENTICATED" || status === 401) return 401;
  return error.reason === "PERMISSION_DENIED" || status === 403 ? 403 : undefined;
}

/** It has to be answered; what with is another rule's question. */
export function answered(attempt: Attempt<unknown>): A2aFinding {
  if (attempt.error === undefined) return KEPT;
  return broken(describeError(attempt), attempt.transcript);
}
