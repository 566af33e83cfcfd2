// Listens to a stream of an operation, or to several at once, and judges what was heard.
import type { Json, JsonObject } from "../../../core/json.ts";
import type { StreamOperation } from "../client/wire-service.ts";
import { MAX_FRAMES, tooLong } from "../conform/caller.ts";
import { describeError } from "../conform/judgement.ts";
import type { Transcript } from "../conform/transcript.ts";
import type { A2aError } from "../errors.ts";
import { isAnonymous, judgeError, judgeHead, reached, WITHOUT_CREDENTIALS } from "./answer.ts";
import { withTenant } from "./ask-operation.ts";
import type { StepContext } from "./step-context.ts";
import type { Expect, ExpectError, ExpectStream } from "./step-schema.ts";
import { checkStream, viewOf } from "./stream-rules.ts";
import { failed, firstTrouble, PASS, skipped, verdictOf, type Verdict } from "./verdict.ts";

export interface Heard {
  events: Json[];
  /** True where we left the stream before its end. */
  wasLeft: boolean;
  error?: A2aError;
  timedOut: boolean;
  /** True where the error asks for credentials that we have but do not send there. */
  isAnonymous: boolean;
  transcript: Transcript;
}

interface Expected {
  expect?: Expect;
  expect_error?: ExpectError;
  expect_stream?: ExpectStream;
}

/** Returns the streams that a step asks for, each with the number of events after which it is left. */
function streamsOf({ streams = 1, disconnect_after: first }: ExpectStream): (number | undefined)[] {
  const each = Array.isArray(streams)
    ? streams.map(({ disconnect_after: left }) => left)
    : Array.from({ length: streams }, () => undefined);
  return each.map((left, index) => (index === 0 ? (left ?? first) : left));
}

export function hearStreams(
  operation: StreamOperation,
  params: () => JsonObject,
  expected: ExpectStream | undefined,
  context: StepContext,
): Promise<Heard[]> {
  const { max_count: most = Infinity, timeout_ms: timeoutMs } = expected ?? {};
  return Promise.all(
    streamsOf(expected ?? {}).map((left = Infinity) =>
      // Reading one event more than allowed shows that there are too many.
      hear(operation, params(), { leaveAfter: Math.min(left, most + 1), most, timeoutMs }, context),
    ),
  );
}

async function hear(
  operation: StreamOperation,
  params: JsonObject,
  { leaveAfter, most, timeoutMs }: { leaveAfter: number; most: number; timeoutMs: number | undefined },
  context: StepContext,
): Promise<Heard> {
  const events: Json[] = [];
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  const attempt = await context.trial.exchange(
    context.endpoint,
    async (wire, call) => {
      const sent = withTenant(params, context) ?? {};
      for await (const event of await wire.open(operation, sent, call, ({ data }) => data)) {
        events.push(event);
        if (events.length > MAX_FRAMES) throw tooLong();
        if (events.length >= leaveAfter) return true;
      }
      return false;
    },
    limit,
  );
  const { value: hasLeft = false, error, timedOut, transcript } = attempt;
  // One that was left because it has too many events is judged as a whole.
  const wasLeft = hasLeft && events.length <= most;
  const anonymous = error !== undefined && isAnonymous(error, context.endpoint);
  return { events, wasLeft, ...(error && { error }), timedOut, isAnonymous: anonymous, transcript };
}

/** Each stream has to match what is expected. */
export function judgeStreams(expected: Expected, streams: readonly Heard[]): Promise<Verdict> {
  return firstTrouble(streams.map((heard) => () => judgeStream(expected, heard)));
}

function judgeStream(expected: Expected, heard: Heard): Promise<Verdict> {
  const { expect, expect_error: refusal, expect_stream: stream } = expected;
  const { events, error, timedOut, transcript } = heard;
  const count = `${events.length} ${events.length === 1 ? "event" : "events"}`;
  return firstTrouble([
    () => (timedOut ? failed(`the stream did not end within the limit, after ${count}`, transcript) : PASS),
    () => reached({ ...(error && { error }), timedOut, transcript }),
    () => (refusal ? judgeRefusal(refusal, heard, count) : judgeEnd(heard, count)),
    () => (expect ? judgeHead(expect, transcript) : PASS),
    () => (stream ? verdictOf(checkStream(stream, heard), transcript) : PASS),
  ]);
}

function judgeRefusal(
  refusal: ExpectError,
  { events, error, timedOut, transcript }: Heard,
  count: string,
): Verdict {
  if (events.length > 0) return failed(`it was not refused: ${count} came`, transcript);
  return judgeError(refusal, { ...(error && { error }), body: count, transcript, timedOut });
}

function judgeEnd(heard: Heard, count: string): Verdict {
  const { error, transcript } = heard;
  if (error === undefined) return PASS;
  if (heard.isAnonymous) return skipped(WITHOUT_CREDENTIALS);
  return failed(`the stream broke after ${count}: ${describeError(heard)}`, transcript);
}

/** Returns the events as later steps see them, of the first stream. */
export function responseOfStream([first]: readonly Heard[]): Json {
  return (first?.events ?? []).map(viewOf);
}
