// Performs one step of a test and judges it: what it expects first, what it captures for later steps, then its own assertions.
import type { Json, JsonObject } from "../../../core/json.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { judgeAnswer, responseOf, type Answer } from "./answer.ts";
import { askOperation } from "./ask-operation.ts";
import { capture } from "./capture.ts";
import { tryClient } from "./client-step.ts";
import { hearStreams, judgeStreams, responseOfStream } from "./hear-stream.ts";
import { checkNamed } from "./named-assertions.ts";
import { isStreaming, requestOf, type Request } from "./operations.ts";
import { framesOf, sendRaw } from "./raw-step.ts";
import type { StepContext } from "./step-context.ts";
import type { ActsStep, NamedAssertion, Repeat, StepOf } from "./step-schema.ts";
import { checkStream } from "./stream-rules.ts";
import { holds, parseUntil } from "./until.ts";
import { fillText, resolve, sourceReference, substitute, type Scope } from "./variables.ts";
import { failed, firstTrouble, PASS, verdictOf, type Verdict } from "./verdict.ts";
import { awaitWebhook } from "./webhook-step.ts";

interface Done {
  verdict: Verdict;
  /** Value of `{{step.response}}`. */
  response?: Json;
  transcript?: Verdict["transcript"];
}

/** Throws UnknownVariable for a reference without a value. */
export async function runStep(step: ActsStep, context: StepContext): Promise<Verdict> {
  const { clock, scope, trial } = context;
  if (step.delay_ms !== undefined) await pause(clock, step.delay_ms, trial.signal);
  const { verdict, response, transcript } = await perform(step, context);
  if (response !== undefined) scope.responses.set(step.id, response);
  return firstTrouble([
    () => verdict,
    () => keepCaptured(step, response, scope, transcript),
    () => checkAssertions(step.assertions ?? [], scope, transcript),
  ]);
}

function perform(step: ActsStep, context: StepContext): Promise<Done> {
  switch (step.kind) {
    case "operation":
      return isStreaming(step.operation) ? performStream(step, context) : performOperation(step, context);
    case "raw":
      return performRaw(step, context);
    case "client":
      return tryClient(filled(step, context.scope), context);
    case "webhook":
      return awaitWebhook(filled(step.expect_webhook, context.scope), context);
    case "assertion":
      return Promise.resolve({ verdict: checkAssertions([step.assertion], context.scope) });
  }
}

/** Returns the step with its variables filled in, which keeps its shape. */
function filled<T extends object>(value: T, scope: Scope): T {
  return substitute({ ...value } as JsonObject, scope) as T;
}

type Expecting = Pick<StepOf<"operation">, "expect" | "expect_error" | "expect_stream">;

function expectedOf(
  { expect, expect_error: error, expect_stream: stream }: Expecting,
  scope: Scope,
): Expecting {
  return filled(
    {
      ...(expect && { expect }),
      ...(error && { expect_error: error }),
      ...(stream && { expect_stream: stream }),
    },
    scope,
  );
}

function requestFor({ operation, params = {} }: StepOf<"operation">, { scope }: StepContext): Request {
  return requestOf(operation, filled(params, scope), () => scope.newId());
}

async function performOperation(step: StepOf<"operation">, context: StepContext): Promise<Done> {
  const { repeat } = step;
  const { answer, wasMet } = repeat
    ? await askRepeatedly(step, repeat, context)
    : { answer: await askOperation(requestFor(step, context), context), wasMet: true };
  const { transcript } = answer;
  const response = responseOf(answer);
  const verdict = await judgeAnswer(expectedOf(step, context.scope), answer);
  const unmet = failed(`it was asked again and again, and never was ${repeat?.until ?? ""}`, transcript);
  return { verdict: verdict.result === "pass" && !wasMet ? unmet : verdict, response, transcript };
}

const DEFAULT_ATTEMPTS = 10;
const DEFAULT_DELAY_MS = 1000;

async function askRepeatedly(
  step: StepOf<"operation">,
  { until, max_attempts: most = DEFAULT_ATTEMPTS, delay_ms: delayMs = DEFAULT_DELAY_MS, backoff }: Repeat,
  context: StepContext,
): Promise<{ answer: Answer; wasMet: boolean }> {
  const condition = parseUntil(fillText(until, context.scope));
  for (let attempt = 1; ; attempt++) {
    const answer = await askOperation(requestFor(step, context), context);
    const wasMet = answer.body !== undefined && holds(condition, answer.body);
    // An unexpected error is not a state to wait through.
    const isOver = answer.error !== undefined && step.expect_error === undefined;
    if (wasMet || isOver || attempt >= most) return { answer, wasMet };
    const factor = { none: 1, linear: attempt, exponential: 2 ** (attempt - 1) }[backoff ?? "none"];
    await pause(context.clock, Math.min(delayMs * factor, MAX_DELAY_MS), context.trial.signal);
  }
}

/** Longest wait between two attempts, in milliseconds. */
const MAX_DELAY_MS = 60_000;

async function performStream(step: StepOf<"operation">, context: StepContext): Promise<Done> {
  const expected = expectedOf(step, context.scope);
  const operation = step.operation === "subscribe_to_task" ? "subscribe" : "stream";
  const paramsOf = (): JsonObject => requestFor(step, context).params;
  const streams = await hearStreams(operation, paramsOf, expected.expect_stream, context);
  const transcript = streams[0]?.transcript;
  return {
    verdict: await judgeStreams(expected, streams),
    response: responseOfStream(streams),
    ...(transcript && { transcript }),
  };
}

async function performRaw(step: StepOf<"raw">, context: StepContext): Promise<Done> {
  const expected = expectedOf(step, context.scope);
  const answer = await sendRaw(filled(step.raw, context.scope), context);
  const { transcript } = answer;
  const { expect_stream: stream } = expected;
  if (stream === undefined)
    return { verdict: await judgeAnswer(expected, answer), response: responseOf(answer), transcript };
  const events = framesOf(transcript);
  const verdict = await firstTrouble([
    () => judgeAnswer(expected, answer),
    () => verdictOf(checkStream(stream, { events, wasLeft: false }), transcript),
  ]);
  return { verdict, response: events, transcript };
}

function keepCaptured(
  step: ActsStep,
  response: Json | undefined,
  scope: Scope,
  transcript: Done["transcript"],
): Verdict {
  if (!("capture" in step) || step.capture === undefined) return PASS;
  const found = capture(step.capture, response ?? {});
  if ("missing" in found) return failed(`nothing to capture as ${found.missing}`, transcript);
  scope.captured.set(step.id, found.values);
  return PASS;
}

export function checkAssertions(
  assertions: readonly NamedAssertion[],
  scope: Scope,
  transcript?: Verdict["transcript"],
): Verdict {
  for (const { source, ...rest } of assertions) {
    const value = resolve(sourceReference(source), scope);
    const wrong = checkNamed({ source, ...filled(rest, scope) }, value);
    if (wrong) return verdictOf(wrong, transcript);
  }
  return PASS;
}
