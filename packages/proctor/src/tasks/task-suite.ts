// Terminal tasks as a suite, so that everything that runs suites runs them: several at once, attempts, resume, statistics, reports.
import { join, relative } from "node:path";
import type { EnvironmentOptions, TerminalOptions } from "../core/environment.ts";
import type { SystemTrust } from "../core/environment.ts";
import { findCheck } from "../suites/checks/registry.ts";
import { DEFAULT_SCORING, type Suite, type SuiteCheck, type SuiteTest } from "../suites/suite.ts";
import type { TerminalTask } from "./terminal-task.ts";

interface TaskSuiteOptions {
  name: string;
  cwd: string;
  attempts: number;
  /** Options that override what each task says. */
  environment: EnvironmentOptions;
  terminal: TerminalOptions;
  /** Environment variables for the agent's program, which are stored nowhere in the clear. */
  secrets?: Record<string, string>;
  /** Factor by which each task's own time limits are multiplied. */
  timeoutFactor: number;
  /** Trust in the system's programs, which overrides what each task says in its metadata. */
  verify?: SystemTrust;
}

export function taskSuite(tasks: readonly TerminalTask[], options: TaskSuiteOptions): Suite {
  return {
    file: options.name,
    name: options.name,
    agents: [],
    tests: tasks.map((task) => testOf(task, options)),
  };
}

function testOf(task: TerminalTask, options: TaskSuiteOptions): SuiteTest {
  const place = { file: relative(options.cwd, join(task.dir, markOf(task))), line: 1, col: 1 };
  return {
    ...place,
    id: task.name,
    name: task.name,
    tags: task.tags,
    task: { description: task.instruction },
    constraints: { timeout_seconds: task.timeoutSeconds * options.timeoutFactor },
    options: {
      // Tasks are written for root of a container, who makes users and installs packages.
      environment: merged({ profile: "auto", ...task.environment }, options.environment),
      terminal: { ...task.terminal, ...options.terminal },
    },
    ...(options.secrets && Object.keys(options.secrets).length > 0 && { environment: options.secrets }),
    ...(task.solution && { solution: task.solution }),
    // `proctor tasks fork` finds the tests in this directory.
    metadata: { task_dir: task.dir },
    runs: options.attempts,
    checks: [{ ...place, ...verifierOf(task, options) }],
    caseChecks: [],
    folder: task.dir,
    scoring: DEFAULT_SCORING,
  };
}

function merged(own: EnvironmentOptions, more: EnvironmentOptions): EnvironmentOptions {
  return { ...own, ...more, limits: { ...own.limits, ...more.limits } };
}

function markOf({ format }: TerminalTask): string {
  return format === "harbor" ? "task.toml" : "task.yaml";
}

function verifierOf(
  task: TerminalTask,
  { timeoutFactor, verify }: TaskSuiteOptions,
): Omit<SuiteCheck, "file" | "line" | "col"> {
  const check = findCheck("verifier");
  if (!check) throw new Error("there is no check called verifier");
  const { files, command, env, user, workdir, timeoutSeconds, reward, separate } = task.verifier;
  const config = {
    files,
    command,
    env,
    ...(user !== undefined && { user }),
    ...(workdir !== undefined && { workdir }),
    timeout_seconds: timeoutSeconds * timeoutFactor,
    reward,
    ...(separate && { separate }),
    verify: verify ?? (task.metadata["verify"] === "as-left" ? "as-left" : "restored"),
  };
  return {
    type: check.type,
    critical: true,
    weight: 1,
    config,
    needsWorkspace: false,
    judgesAnyEnd: true,
    files: check.files(config),
    evaluate: check.bind(config),
  };
}
