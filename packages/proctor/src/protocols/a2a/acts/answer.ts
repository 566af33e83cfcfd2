// One answer of an agent as assertions see it: a bare object of A2A, or the error that came instead.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { isGone } from "../card/discover-card.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import type { A2aError } from "../errors.ts";
import type { Attempt } from "../conform/caller.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import { describeError } from "../conform/judgement.ts";
import type { Transcript } from "../conform/transcript.ts";
import { canonicalName, nameOf } from "./error-types.ts";
import { inLowerCase, match, type Mismatch } from "./match.ts";
import type { Expect, ExpectError } from "./step-schema.ts";
import { failed, firstTrouble, PASS, skipped, verdictOf, type Verdict } from "./verdict.ts";

export interface Answer {
  body?: Json;
  error?: A2aError;
  transcript: Transcript;
  timedOut: boolean;
  /** True where the error asks for credentials that we have but do not send there. */
  isAnonymous?: boolean;
}

interface Expected {
  expect?: Expect;
  expect_error?: ExpectError;
}

/** Expects the variables in `expected` to be filled in already. */
export function judgeAnswer(expected: Expected, answer: Answer): Promise<Verdict> {
  const { expect, expect_error: refusal } = expected;
  const { body, error, transcript } = answer;
  return firstTrouble([
    () => reached(answer),
    () => (refusal ? judgeError(refusal, answer) : unexpected(answer)),
    () => (expect ? judgeHead(expect, transcript) : PASS),
    () =>
      expect?.body === undefined || (refusal && error)
        ? PASS
        : verdictOf(match(expect.body, body), transcript),
  ]);
}

/** An agent that cannot be reached is an error; one that stays silent fails. */
export function reached({ error, timedOut, transcript }: Omit<Answer, "body">): Verdict {
  if (timedOut) return failed("no answer within the limit", transcript);
  if (error && isGone(error) && transcript.status === undefined)
    return { result: "error", message: error.message, transcript };
  return PASS;
}

/** An answer with another status is judged by what is expected of the status; the error of a raw request is in its body. */
function unexpected({ error, body, transcript, isAnonymous }: Answer): Verdict {
  if (error === undefined || body !== undefined) return PASS;
  if (isAnonymous === true) return skipped(WITHOUT_CREDENTIALS);
  return failed(`it was refused: ${describeError({ error, timedOut: false })}`, transcript);
}

/** Judges status and headers, where there are any: gRPC has no HTTP status. */
export function judgeHead({ status, headers }: Expect, transcript: Transcript): Verdict {
  const { status: seen, answered = {} } = transcript;
  if (headers !== undefined && transcript.method === "gRPC") return skipped("gRPC has no headers of HTTP");
  const wrong =
    (status === undefined || seen === undefined ? undefined : match(status, seen, "status")) ??
    (headers === undefined ? undefined : match(inLowerCase(headers), { ...answered }, "headers"));
  return verdictOf(wrong, transcript);
}

export function judgeError(expected: ExpectError, { error, body, transcript }: Answer): Verdict {
  if (error === undefined) {
    return { ...failed("it was not refused", transcript), expected: "an error", actual: shown(body) };
  }
  const { error_type: type, message, details = expected.data } = expected;
  const wrong =
    (type === undefined ? undefined : match(canonical(type), typeName(error), "error_type")) ??
    (message === undefined ? undefined : match(message, error.message, "message")) ??
    (details === undefined ? undefined : matchDetails(details, error));
  return verdictOf(wrong, transcript);
}

function canonical(assertion: Json): Json {
  if (typeof assertion === "string") return canonicalName(assertion);
  if (Array.isArray(assertion)) return assertion.map(canonical);
  if (!isJsonObject(assertion)) return assertion;
  return Object.fromEntries(Object.entries(assertion).map(([key, each]) => [key, each && canonical(each)]));
}

/** An error that is not one of A2A's, such as a page of a proxy, has no name. */
function typeName(error: A2aError): string | undefined {
  return error.cause instanceof TransportFailure ? undefined : nameOf(error.reason);
}

/** An assertion about details may mean the whole list or one object in it: ACTS allows either. */
function matchDetails(assertion: Json, { options }: A2aError): Mismatch | undefined {
  const whole: Json | undefined = options.data ?? (options.details && [...options.details]);
  const wrong = match(assertion, whole, "details");
  if (wrong === undefined || !Array.isArray(whole)) return wrong;
  return whole.some((each) => match(assertion, each) === undefined) ? undefined : wrong;
}

function shown(body: Json | undefined): string {
  return body === undefined ? "an answer" : JSON.stringify(body).slice(0, 80);
}

export const WITHOUT_CREDENTIALS = "credentials do not go to this interface, which is at another address";

export function answerOf(attempt: Attempt<Json>, endpoint: Endpoint): Answer {
  const { value, error, transcript, timedOut } = attempt;
  return {
    ...(value !== undefined && { body: value }),
    ...(error && { error, isAnonymous: isAnonymous(error, endpoint) }),
    transcript,
    timedOut,
  };
}

export function isAnonymous({ reason }: A2aError, { mayHaveCredentials }: Endpoint): boolean {
  return reason === "UNAUTHENTICATED" && !mayHaveCredentials;
}

/** Returns what later steps see of an answer. */
export function responseOf({ body, error }: Answer): Json {
  if (body !== undefined) return body;
  const said: JsonObject = error ? { code: error.code, message: error.message } : {};
  return error ? { error: said } : {};
}
