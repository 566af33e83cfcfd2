// One run of one agent: the request becomes a suite of one test, so that it means here what it means there.
import { resolve } from "node:path";
import type { HubSession } from "../cli/compose/compose.ts";
import { ProctorError } from "../core/errors.ts";
import { localAgent } from "../hub/local-agent.ts";
import type { Constraints, Task } from "../core/task.ts";
import type { ToolSet } from "../core/tools.ts";
import type { AgentDefinition, CheckDefinition } from "../suites/format/gen/suite-types.ts";
import { loadDefinition } from "../suites/load.ts";
import { createPlan, type Plan } from "../suites/plan.ts";
import type { Reporter } from "../suites/reporter.ts";
import type { AttemptResult } from "../suites/result.ts";
import { runSuite } from "../suites/run/run-suite.ts";
import { useSession } from "./session.ts";
import { readTestRun, type TestRun } from "./test-run.ts";

/** An address or the name of a registered agent, or the long form without its name. */
export type TestAgent = string | WithoutName<AgentDefinition>;

type WithoutName<T> = T extends { name: unknown } ? Omit<T, "name" | "matrix"> : never;

export interface TestRequest {
  agent: TestAgent;
  task: string | Task;
  constraints?: Constraints;
  /** Secrets and settings that the agent finds in `context.environment`. */
  environment?: Record<string, string>;
  /** Path of a file that defines the agent's tools, or its content. */
  tools?: string | ToolSet;
  workspace?: { fixture?: string; collect?: readonly string[] };
  checks?: readonly CheckDefinition[];
  /** Whether a violation of the agent's protocol fails the run. */
  strict?: boolean;
  /** Whether the agent gets a unique secret, which fails the run when it turns up again. */
  canary?: boolean;
  timeoutSeconds?: number;
  /** Cancels the run when aborted. */
  signal?: AbortSignal;
}

/** Relative paths are taken from the current directory. Throws when the request is wrong, or nothing could be run. */
export function runTest(request: TestRequest): Promise<TestRun> {
  return useSession((session) => runOn(session, request));
}

async function runOn(session: HubSession, request: TestRequest): Promise<TestRun> {
  const { hub, config, composition } = session;
  const plan = placeAgent(await planFor(request, await composition.schemes()), session);
  const services = await composition.checkServices(config, hub);
  const { signal = new AbortController().signal } = request;
  const made: AttemptResult[] = [];
  const reporter: Reporter = {
    start: () => undefined,
    attemptEnded: (_planned, attempt) => made.push(attempt),
    caseEnded: () => undefined,
    end: () => undefined,
  };
  await runSuite(plan, hub, { services, reporters: [reporter] }, signal);
  signal.throwIfAborted();
  const [attempt] = made;
  if (attempt?.runId === undefined)
    throw new Error(`the task was not run: ${attempt?.reason ?? "interrupted"}`);
  return readTestRun(attempt, attempt.runId, { hub, services, signal });
}

const AGENT = "agent";

async function planFor(request: TestRequest, schemes: readonly string[]): Promise<Plan> {
  const { agent, task, workspace, timeoutSeconds } = request;
  const { environment, tools, strict, canary, checks } = request;
  const definition = {
    test_suite: "proctor/testing",
    agents: typeof agent === "string" ? [] : [{ ...agent, name: AGENT }],
    tests: [
      {
        id: "run",
        name: "run",
        task: {
          ...(typeof task === "string" ? { description: task } : task),
          workspace_fixture: workspace?.fixture,
          collect: workspace?.collect,
        },
        constraints: {
          ...request.constraints,
          ...(timeoutSeconds !== undefined && { timeout_seconds: timeoutSeconds }),
        },
        environment,
        tools,
        strict,
        canary,
        checks,
      },
    ],
  };
  const place = { file: "proctor.run", folder: resolve("."), variables: null, schemes };
  const suite = await loadDefinition(definition, place).catch((error: unknown) => {
    throw inRequest(error);
  });
  return createPlan([suite], typeof agent === "string" ? { agents: [agent] } : {});
}

/** Rewrites the paths of problems to those of the request, because the caller wrote no suite. */
function inRequest(error: unknown): unknown {
  if (!ProctorError.is(error)) return error;
  return new ProctorError(
    "INVALID_REQUEST",
    error.message.replaceAll(/ {2}(?:tests\[0\]\.|agents\[0\]\.)/g, "  "),
  );
}

/** A command line is relative to the directory of the program that passes it. */
function placeAgent(plan: Plan, session: HubSession): Plan {
  const cases = plan.cases.map((planned) => {
    const { target } = planned.agent;
    if (typeof target !== "string") return planned;
    return { ...planned, agent: { ...planned.agent, target: localAgent(target, session, resolve(".")) } };
  });
  return { ...plan, cases };
}
