// Tries one test of ACTS on an agent, over one interface: its steps in order until one is no pass, then its own assertions. Every test has variables of
// its own.
import { uuidV7 } from "../../../core/id.ts";
import { messageOf } from "../../../core/message-of.ts";
import { TooSlowError } from "../../../runtime/cpu-limit.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import { isNear, type Trial } from "../conform/trial.ts";
import { obstacle, passOf } from "./preconditions.ts";
import type { LoadedTest } from "./read-acts.ts";
import { checkAssertions, runStep } from "./run-step.ts";
import type { StepContext } from "./step-context.ts";
import type { ActsStep } from "./step-schema.ts";
import { UnknownVariable, type Scope } from "./variables.ts";
import { failed, skipped, type Verdict } from "./verdict.ts";

export interface StepRun {
  id: string;
  verdict: Verdict;
  durationMs: number;
}

export interface TestRun {
  verdict: Verdict;
  /** The step that is not a pass; absent where it was none of them. */
  stepId?: string;
  steps: StepRun[];
  durationMs: number;
}

export interface TestOptions {
  trial: Trial;
  environment: Readonly<Record<string, string>>;
  /** Behaviours that the agent claims to know; absent where nothing lists them. */
  behaviors?: ReadonlySet<string>;
}

export async function runTest(test: LoadedTest, endpoint: Endpoint, options: TestOptions): Promise<TestRun> {
  const startedAt = performance.now();
  const steps: StepRun[] = [];
  const ended = (verdict: Verdict, stepId?: string): TestRun => ({
    verdict,
    ...(stepId !== undefined && { stepId }),
    steps,
    durationMs: performance.now() - startedAt,
  });
  const before = await gate(test, options);
  if (before) return ended(before);
  const context = await contextOf(test, endpoint, options);
  for (const step of test.steps) {
    const stepAt = performance.now();
    const tried = await settled(() => runStep(step, context), options.trial.signal);
    const verdict = isLockedOut(test, step, tried) ? skipped(LOCKED_OUT) : tried;
    steps.push({ id: step.id, verdict, durationMs: performance.now() - stepAt });
    if (verdict.result !== "pass") return ended(verdict, step.id);
  }
  const check = (): Verdict => checkAssertions(test.assertions ?? [], context.scope);
  return ended(await settled(check, options.trial.signal));
}

/** A behaviour that the agent does not claim to know counts as its failure: it would otherwise vanish from the report. */
async function gate(test: LoadedTest, { trial, behaviors }: TestOptions): Promise<Verdict | undefined> {
  const { card } = await trial.found();
  const why = card === undefined ? "the agent has no card that can be read" : obstacle(test, card);
  if (why !== undefined) return skipped(why);
  if (test.runner_requirements?.includes("webhook_endpoint") === true && !isNear(trial.settings))
    return skipped("the agent is not on this machine, and cannot reach our receiver");
  const missing = (test.requires_behaviors ?? []).filter((name) => behaviors?.has(name) === false);
  return missing.length === 0 ? undefined : failed(`the agent does not declare ${missing.join(", ")}`);
}

const LOCKED_OUT = "the agent asks for credentials, and a request as it is written has none";

/** Raw requests fit open agents alone, unless the requests are about credentials. */
function isLockedOut(test: LoadedTest, step: ActsStep, { result, transcript }: Verdict): boolean {
  if (step.kind !== "raw" || result !== "fail" || passOf(test) === "auth") return false;
  const names = Object.keys(step.raw.headers ?? {}).map((name) => name.toLowerCase());
  return transcript?.status === 401 && !names.includes("authorization");
}

/** A test that lacks what it needs, or cannot be run, says nothing about the agent. */
async function settled(check: () => Verdict | Promise<Verdict>, signal: AbortSignal): Promise<Verdict> {
  try {
    return await check();
  } catch (error) {
    if (signal.aborted) return skipped("it was interrupted");
    if (error instanceof UnknownVariable) return skipped(error.message);
    if (error instanceof TooSlowError) return { result: "error", message: messageOf(error) };
    throw error;
  }
}

async function contextOf(
  test: LoadedTest,
  endpoint: Endpoint,
  { trial, environment }: TestOptions,
): Promise<StepContext> {
  const webhookUrl = isNear(trial.settings)
    ? (await trial.receiver()).url("well", `${test.id} ${endpoint.name} ${uuidV7()}`)
    : undefined;
  const { insufficientToken } = trial;
  const scope: Scope = {
    variables: {
      ...test.variables,
      baseUrl: trial.settings.url.href,
      SUT_BASE_URL: trial.settings.url.href,
      otherUserTaskId: uuidV7(),
      ...(webhookUrl !== undefined && { webhookUrl }),
      ...(insufficientToken !== undefined && { insufficientAuthToken: insufficientToken }),
    },
    environment,
    captured: new Map(),
    responses: new Map(),
    newId: uuidV7,
  };
  return { trial, endpoint, scope, clock: systemClock, ...(webhookUrl !== undefined && { webhookUrl }) };
}
