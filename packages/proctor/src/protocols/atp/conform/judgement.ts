// The questions that many rules ask of an exchange: did it answer, did it accept the request, did it refuse it properly.
import type { Exchange } from "./exchange.ts";
import { errorLine, fail, pass, showValue, unevaluated } from "../../../conformance/finding.ts";
import { shorten } from "../../../core/shorten.ts";
import type { AtpFinding } from "./finding.ts";

/** Describes how an exchange without a response ended. */
export function describeSilence({ ended, durationMs, messages }: Exchange): string {
  if (ended.error !== undefined) return ended.error;
  const after = `${(durationMs / 1000).toFixed(1)} s`;
  if (ended.overtime || ended.lingered) return `no response within ${after}; it was cut off`;
  if (ended.grpcStatus !== undefined && ended.grpcStatus !== "OK") return `gRPC ${ended.grpcStatus}`;
  if (ended.httpStatus !== undefined && ended.httpStatus !== 200) {
    return `HTTP ${ended.httpStatus} with ${describeContent(messages[0]?.text)}`;
  }
  if (ended.closeCode !== undefined)
    return `the socket was closed with ${ended.closeCode} without a response`;
  if (ended.signal != null) return `ended by ${ended.signal} without a response`;
  if (ended.exitCode !== undefined) {
    const lines = messages.filter(({ channel, kind }) => channel === "stderr" && kind === "other");
    const said = errorLine(lines.map(({ text }) => text));
    return `exit code ${ended.exitCode} without a response${said === undefined ? "" : `; stderr: ${said}`}`;
  }
  return `it ended without a response, after ${messages.length} messages`;
}

function describeContent(text: string | undefined): string {
  return text === undefined ? "an empty body" : `the body ${shorten(text, 160)}`;
}

/** Judges a valid request: the agent must work on it, as on the plainest one. */
export function accepted(exchange: Exchange, basic: Exchange): AtpFinding {
  const { response } = exchange;
  if (response === undefined) return fail(describeSilence(exchange), exchange);
  const { status, error, error_code: code } = response;
  if (status !== "failed") return pass(exchange);
  if (code === "INVALID_REQUEST" || basic.response?.["status"] !== "failed") {
    return fail(`it was refused: ${describeError(error, code)}`, exchange);
  }
  const why = `every task fails: ${describeError(error, code)}; give it one that it can do (--task)`;
  return unevaluated(why, exchange);
}

function describeError(error: unknown, code: unknown): string {
  const text = typeof error === "string" ? shorten(error, 160) : `error is ${showValue(error)}`;
  return typeof code === "string" ? `${text} (${shorten(code, 40)})` : text;
}

/** Judges an invalid request: it needs a response `failed`, or the transport's own refusal. */
export function refused(exchange: Exchange): AtpFinding {
  const { ended, response } = exchange;
  if (response !== undefined) {
    const { status } = response;
    return status === "failed"
      ? pass(exchange)
      : fail(`it was taken: the response has status ${showValue(status)}`, exchange);
  }
  if (ended.error === undefined && !ended.overtime) {
    const { httpStatus = 0, grpcStatus } = ended;
    if ((httpStatus >= 400 && httpStatus < 500) || grpcStatus === "INVALID_ARGUMENT") return pass(exchange);
  }
  return fail(describeSilence(exchange), exchange);
}

/** Matches the stack traces that the runtimes of most languages print for an unhandled error. */
const STACK_TRACE =
  /Traceback \(most recent call last\)|^[ \t]+at .+:\d+|panicked at|^goroutine \d+|^Exception in thread|stack backtrace:/m;

/** Judges input that is not even a request, so that there is no task to answer: a program may also end with a plain error. */
export function handled(exchange: Exchange): AtpFinding {
  const { ended, messages, response } = exchange;
  if (response !== undefined || ended.exitCode === undefined || ended.overtime || ended.lingered) {
    return refused(exchange);
  }
  const said = messages.filter(({ channel }) => channel === "stderr").map(({ text }) => text);
  if (ended.signal !== null) return fail(`it crashed: ${describeSilence(exchange)}`, exchange);
  if (STACK_TRACE.test(said.join("\n"))) {
    return fail(`it crashed: ${describeSilence(exchange)}`, exchange);
  }
  if (ended.exitCode === 0) return fail("it ended with exit code 0 and no response", exchange);
  if (said.length === 0) return fail(`exit code ${ended.exitCode} and not a word`, exchange);
  return pass(exchange);
}
