// Rules about requests that are wrong in every way.
import { shorten } from "../../../../core/shorten.ts";
import type { Endpoint } from "../endpoint.ts";
import { demand, overEach, overHttp, type Check } from "../finding.ts";
import { describeError } from "../judgement.ts";
import { malformedRequests } from "../malformed.ts";
import type { Transcript } from "../transcript.ts";
import type { Trial } from "../trial.ts";

interface Tried {
  what: string;
  transcript: Transcript;
}

/** Tries all of them at once, and once only for each interface. */
function triedOver(trial: Trial, endpoint: Endpoint): Promise<Tried[]> {
  return trial.once(`malformed ${endpoint.name}`, async () => {
    const all = malformedRequests(endpoint, trial.headersFor(endpoint));
    return Promise.all(
      all.map(async ({ what, request }) => ({
        what,
        transcript: await trial.raw({ ...request, as: trial.identityFor(endpoint) }),
      })),
    );
  });
}

function ofEach(problem: (transcript: Transcript) => string | undefined): Check {
  return overEach(overHttp, async (endpoint, trial) => {
    for (const { what, transcript } of await triedOver(trial, endpoint)) {
      const why = problem(transcript);
      const got =
        transcript.status === undefined
          ? (transcript.trouble ?? "nothing")
          : `${transcript.status} ${shorten(transcript.received, 200)}`;
      demand(why === undefined, `${what}: ${why}`, transcript, { expected: "an error with a body", got });
    }
  });
}

/** Matches the stack traces that the runtimes of most languages print. */
const STACK_TRACE =
  /Traceback \(most recent call last\)|\n?\s+at [\w.$<>]+ ?\(.+:\d+|panicked at|goroutine \d+ \[|Exception in thread|stack backtrace:|\.java:\d+\)/;

export const MALFORMED_CHECKS = {
  "a2a.malformed.answered": ofEach(({ status, received, trouble }) => {
    if (status === undefined) return `no answer: ${trouble ?? "silence"}`;
    // A notification gets no answer.
    if (status === 204 || status === 202) return undefined;
    if (status >= 500 && received.trim() === "") return `status ${status} without a word`;
    return undefined;
  }),
  "a2a.malformed.trace": ofEach(({ received }) =>
    STACK_TRACE.test(received.replaceAll("\\n", "\n")) ? "the answer shows a stack trace" : undefined,
  ),
  "a2a.malformed.recovers": overEach(overHttp, async (endpoint, trial) => {
    await triedOver(trial, endpoint);
    const attempt = await trial.send(endpoint, { message: trial.message() });
    demand(attempt.error === undefined, describeError(attempt), attempt.transcript);
  }),
} satisfies Record<string, Check>;
