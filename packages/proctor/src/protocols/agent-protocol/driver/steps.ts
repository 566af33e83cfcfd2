// Executes a task step by step until one is the last. What a step says is codec.ts; time and money are the engine's limits.
import { MAX_ARTIFACTS } from "../../../core/artifact.ts";
import { failure, type Failure } from "../../../core/failure.ts";
import type { AgentReport, Job, ReceivedArtifact } from "../../../core/ports/driver.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import type { Asker, JsonAnswer } from "./asker.ts";
import { decodeStep, resultOf } from "../codec.ts";
import { answerBody, questionIn, type Answers } from "./questions.ts";
import { readStep } from "./read-wire.ts";
import { violationReport } from "../../reports.ts";
import type { TaskRequests } from "./requests.ts";
import type { Usage } from "./usage.ts";
import type { CompatStep } from "../wire.ts";

interface StepsDeps {
  job: Job;
  taskId: string;
  requests: TaskRequests;
  asker: Asker;
  usage: Usage;
  answers: Answers;
  /** Aborts when the run is cancelled or killed. */
  signal: AbortSignal;
}

interface StepsEnd {
  /** Why the task failed; absent when its last step is completed. */
  failure?: Failure;
  result?: ReceivedArtifact;
  /** The entries that the steps list under `artifacts`. */
  artifacts: CompatStep["artifacts"];
  /** True when the agent no longer answers, so that its artifacts are not asked for. */
  gone: boolean;
}

/** Official clients send a step without a body. */
const NO_BODY = "";
/** The body for servers that do not take an empty one as JSON. */
const EMPTY_OBJECT = "{}";
const MAX_SAME_STEP = 10;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2000;

export async function* executeSteps(deps: StepsDeps): AsyncGenerator<AgentReport, StepsEnd> {
  const { job, taskId, requests, asker, usage } = deps;
  const artifacts: CompatStep["artifacts"] = [];
  const limit = job.constraints.max_steps;
  let body = NO_BODY;
  let lastId: string | undefined;
  let same = 0;

  for (let number = 1; ; number++) {
    if (limit !== undefined && number > limit) {
      return { failure: stepsExceeded(limit), artifacts, gone: false };
    }
    let answer = await asker.json(requests.executeStep(body));
    if (number === 1 && isBadRequest(answer)) {
      body = EMPTY_OBJECT;
      answer = await asker.json(requests.executeStep(body));
    }
    let taken = yield* takeAnswer(answer);
    taken = yield* relayQuestions(taken, deps);
    if ("step" in taken) taken = yield* settle(taken.step, deps);
    // An agent that fails at the first step has produced nothing.
    if (!("step" in taken)) return { ...taken, gone: taken.gone || number === 1, artifacts };
    const { step } = taken;
    if (step.task_id !== undefined && step.task_id !== taskId) yield otherTask();
    same = step.step_id !== undefined && step.step_id === lastId ? same + 1 : 0;
    if (same > 0) yield repeatedStep();
    if (same >= MAX_SAME_STEP) return { failure: stuck(), artifacts, gone: false };
    lastId = step.step_id;

    const { events, artifact, failure: failed, ends } = decodeStep(step, number, usage);
    for (const event of events) yield { kind: "event", event };
    if (artifact) yield { kind: "artifact", artifact };
    for (const entry of step.artifacts.slice(0, MAX_ARTIFACTS - artifacts.length)) artifacts.push(entry);
    if (!ends) continue;
    // An error that is shown as the output as well is no result.
    const result = failed && step.output === failed.message ? undefined : resultOf(step);
    return { ...(failed && { failure: failed }), ...(result && { result }), artifacts, gone: false };
  }
}

type Taken = { step: CompatStep } | { failure: Failure; gone: boolean };

async function* takeAnswer(answer: JsonAnswer): AsyncGenerator<AgentReport, Taken> {
  yield* answer.reports;
  if (!answer.ok) return { failure: answer.failure, gone: answer.status === undefined };
  const { value, violations } = readStep(answer.json);
  for (const violation of violations) yield violationReport(violation);
  if (value) return { step: value };
  const why = violations[0] === undefined ? "" : `: ${violations[0].message}`;
  return { failure: failure("INVALID_RESPONSE", `the agent's step cannot be used${why}`), gone: false };
}

/** Yields what follows when the questions that the server asks instead of a step have been answered. They are not steps, and not counted. */
async function* relayQuestions(
  first: Taken,
  { requests, asker, answers, signal }: StepsDeps,
): AsyncGenerator<AgentReport, Taken> {
  const asked = new Set<string>();
  for (let taken = first; ;) {
    const question = "step" in taken ? questionIn(taken.step) : undefined;
    if (question === undefined) return taken;
    if (asked.has(question.id)) return { failure: stuck(), gone: false };
    asked.add(question.id);
    yield { kind: "question", question };
    const answer = await answers.wait(question.id, signal);
    if (answer === undefined) return { failure: failure("CANCELLED", "the run was stopped"), gone: true };
    taken = yield* takeAnswer(await asker.json(requests.executeStep(answerBody(question.id, answer))));
  }
}

/**
 * Asks for a step until it is done: a server that executes in the background says `running`, and has no output yet. With an output it is done,
 * whatever its status: the last step of AutoGPT stays `running` for ever.
 */
async function* settle(
  first: CompatStep,
  { requests, asker, signal }: StepsDeps,
): AsyncGenerator<AgentReport, Taken> {
  let step = first;
  const request = first.step_id === undefined ? undefined : requests.getStep(first.step_id);
  for (let ms = FIRST_WAIT_MS; isUnderWay(step); ms = Math.min(ms * 2, LONGEST_WAIT_MS)) {
    if (request === undefined) break;
    // Rejects when the run is stopped; the request below then fails as well.
    await pause(systemClock, ms, signal).catch(() => undefined);
    const answer = await asker.json(request);
    if (!answer.ok && answer.status !== undefined && ABSENT.has(answer.status)) break;
    const taken = yield* takeAnswer(answer);
    if (!("step" in taken)) return taken;
    ({ step } = taken);
  }
  if (step.status === "created" || step.status === "running") {
    const message = `an executed step has the status ${step.status}; it is taken as completed`;
    yield violationReport({ rule: "ap.step.status", message, where: "step.status" });
  }
  return { step };
}

const isUnderWay = ({ status, output }: CompatStep): boolean => status === "running" && output == null;

/** Statuses of servers that cannot be asked for a single step. */
const ABSENT = new Set([404, 405, 501]);

/** Returns true when the step was not executed, so that it can be requested again with another body. */
function isBadRequest(answer: JsonAnswer): boolean {
  return !answer.ok && (answer.status === 400 || answer.status === 415 || answer.status === 422);
}

function otherTask(): AgentReport {
  const message = "a step names another task; it is taken";
  return violationReport({ rule: "ap.task_id", message, where: "step.task_id" });
}

function repeatedStep(): AgentReport {
  const message = "the same step came again, and it is not the last";
  return violationReport({ rule: "ap.step.repeated", message, where: "step.step_id" });
}

function stuck(): Failure {
  const message = `the agent answers with the same step again and again, ${MAX_SAME_STEP + 1} times now`;
  return failure("INVALID_RESPONSE", message);
}

function stepsExceeded(limit: number): Failure {
  const message = `no last step after ${limit} steps, max_steps is ${limit}`;
  return failure("BUDGET_EXCEEDED", message, { limit: "max_steps", allowed: limit, used: limit });
}
