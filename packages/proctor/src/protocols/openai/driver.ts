// Drives a model behind the chat completions API as an agent: asks, carries out what it calls, and asks again until it has nothing more to
// call. The chat is kept here, so that a run that follows another sends what was said. To leave is how HTTP cancels.
import { createHttpClient, type HttpClient, type HttpClientOptions } from "../../channels/http/client.ts";
import { failure, type Failure } from "../../core/failure.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { AgentDriver, AgentEnd, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { leaveOnStop } from "../leave-on-stop.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import type { ModelAnswer } from "./answer.ts";
import { createAsk } from "./ask.ts";
import { createCalls } from "./calls.ts";
import { encodeMessages, encodeRequest } from "./codec.ts";
import { endOf } from "./errors.ts";
import { offerFunctions } from "./functions.ts";
import { createQuestions, type Questions } from "./questions.ts";
import { settingsOf } from "./settings.ts";
import { OPENAI_TALKS } from "./talks.ts";
import { runTools } from "./tools.ts";
import type { OpenaiMessage } from "./wire.ts";

export interface OpenaiDriverOptions extends HttpClientOptions {
  /** Client that makes the requests; one on the network when absent. */
  client?: Pick<HttpClient, "post">;
  clock?: Clock;
}

/** Characters of the largest request: a model that never stops calling would fill the memory with what it said. */
const MAX_REQUEST_CHARS = 64 * 1024 * 1024;

interface Deps {
  /** Client for the requests to the model. */
  client: Pick<HttpClient, "post">;
  /** Client for the run's tools. */
  network: HttpClient;
  clock: Clock;
}

export function createOpenaiDriver(options: OpenaiDriverOptions = {}): AgentDriver {
  const network = createHttpClient(options);
  const deps = { client: options.client ?? network, network, clock: options.clock ?? systemClock };
  return {
    talks: OPENAI_TALKS,
    open(job, signals) {
      const questions = createQuestions();
      return {
        ...tapped(job, (tap) => converse(deps, job, signals, questions, tap)),
        answer: (questionId, answer) => questions.answer(questionId, answer),
      };
    },
  };
}

async function* converse(
  deps: Deps,
  job: Job,
  signals: StopSignals,
  questions: Questions,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const leaving = leaveOnStop(signals, tap);
  let done = false;
  try {
    const end = yield* perform(deps, job, questions, leaving.signal, tap);
    done = true;
    yield { kind: "end", end: leaving.signal.aborted ? { status: "cancelled" } : end };
  } finally {
    leaving.close(done);
  }
}

async function* perform(
  { client, network, clock }: Deps,
  job: Job,
  questions: Questions,
  signal: AbortSignal,
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport, AgentEnd> {
  const settings = settingsOf(job);
  if ("refused" in settings) return failed(settings.refused);
  const tools = runTools(job, network);
  if ("refused" in tools) return failed(tools.refused);
  const functions = offerFunctions(await tools.list(signal), job.options?.conversation !== undefined);
  const carryOut = createCalls({ functions, tools, questions, clock, signal });
  const secrets = Object.values(job.spec.headers ?? {});
  const ask = createAsk({ client, clock, settings, secrets, signal, tap });
  const history = (await job.conversation?.history()) ?? [];
  const messages = encodeMessages(job, history, settings.system);
  for (;;) {
    const content = encodeRequest(settings, messages, functions.definitions);
    if (content.length > MAX_REQUEST_CHARS) return failed(tooLong());
    const { answer, end } = yield* ask(content);
    if (signal.aborted) return { status: "cancelled" };
    if (end) return end;
    const { calls, refusal, finishReason } = answer;
    // The last call of an answer that was cut is cut as well.
    const isCut = finishReason === "length" || finishReason === "content_filter";
    if (calls.length === 0 || refusal !== "" || isCut) return yield* conclude(answer);
    messages.push(assistantMessage(answer));
    for (const call of calls) {
      messages.push(yield* carryOut(call));
      if (signal.aborted) return { status: "cancelled" };
    }
  }
}

function* conclude({ text, refusal, finishReason }: ModelAnswer): Generator<AgentReport, AgentEnd> {
  const end = endOf(finishReason, refusal);
  if (end.status !== "rejected") {
    yield { kind: "artifact", artifact: { type: "structured", name: "result", data: { output: text } } };
  }
  return end;
}

function assistantMessage({ text, calls }: ModelAnswer): OpenaiMessage {
  return { role: "assistant", content: text === "" ? null : text, tool_calls: calls };
}

function failed(reason: Failure): AgentEnd {
  return { status: "failed", failure: reason };
}

function tooLong(): Failure {
  return failure("LLM_ERROR", `the chat has grown beyond ${MAX_REQUEST_CHARS} characters`);
}
