// A suite as it is run: everything expanded, defaults applied, every check bound and still knowing its place.
import type { EnvironmentFile } from "../core/environment.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Constraints, Task } from "../core/task.ts";
import type { Evaluate, JudgeCase } from "./check.ts";
import type { GateRule } from "./statistics/sequential.ts";
import type { ScriptedTurn, SimulatedUser } from "./talk.ts";
import type { Position } from "../runtime/yaml/problem.ts";

export interface Suite {
  /** The path as it was given, for messages. */
  file: string;
  name: string;
  description?: string;
  agents: NewAgent[];
  tests: SuiteTest[];
}

/** The place of something in the suite's own file, or in one that it includes. */
export interface Place extends Position {
  /** The name of the file in messages. */
  file: string;
}

export interface SuiteTest extends Place {
  id: string;
  name: string;
  description?: string;
  tags: string[];
  /** What the agent is asked to do; in a conversation, what is said first. */
  task: Task;
  /** The turns of a scripted conversation, the first of which says the task. */
  turns?: ScriptedTurn[];
  /** The simulated user of a conversation. */
  user?: SimulatedUser;
  constraints: Constraints;
  /** Variables for the agent's `context.environment`. */
  environment?: Record<string, string>;
  options?: RunOptions;
  /** What only the built-in agent `oracle` gets. */
  solution?: TestSolution;
  /** Metadata that is kept with each of its runs. */
  metadata?: JsonObject;
  /** Names of the suite's agents; absent means all of them. */
  agents?: string[];
  /** The number of runs on each agent; where `gate` is given, the number at most. */
  runs: number;
  /** Runs of one case in flight at once; no limit of its own when absent. */
  concurrency?: number;
  checks: SuiteCheck[];
  /** Checks that judge all runs together. */
  caseChecks: SuiteCaseCheck[];
  /** The absolute folder that relative paths in its checks start in. */
  folder: string;
  /** The share of runs that must pass, and with which confidence (`pass_rate`); all runs must pass when absent. */
  gate?: GateRule;
  /** The weighted mean of its checks, from 0 to 1, with which a run passes; all checks must pass when absent. */
  threshold?: number;
  scoring: Scoring;
  /** The rule of `mode: comparison`. */
  contest?: ContestRule;
  /** The values from the matrix or the data set. */
  parameters?: JsonObject;
}

export interface TestSolution {
  files: EnvironmentFile[];
  /** The commands that it types. */
  commands: string[];
}

/** Shares of the score, as the ATP platform has them; they add up to 1. */
export interface Scoring {
  quality_weight: number;
  completeness_weight: number;
  efficiency_weight: number;
  cost_weight: number;
}

export const DEFAULT_SCORING: Scoring = {
  quality_weight: 0.4,
  completeness_weight: 0.3,
  efficiency_weight: 0.2,
  cost_weight: 0.1,
};

export interface ContestRule {
  metrics: ("quality" | "speed" | "cost")[];
  determineWinner: boolean;
  /** Whether the agents work at the same time; otherwise one works after the other. */
  parallel: boolean;
}

export interface CheckEntry {
  type: string;
  critical: boolean;
  weight: number;
  /** The config as its schema left it; a part of the case's key. */
  config: Json;
  needsWorkspace: boolean;
  /** Whether it asks a language model; it is unevaluated where none is configured. */
  needsJudge?: boolean;
  /** Whether it judges runs that did not complete, too. */
  judgesAnyEnd?: boolean;
  /** The files that it reads, as its config names them. */
  files?: readonly string[];
  evaluate: Evaluate;
}

export interface CaseCheckEntry {
  type: string;
  critical: boolean;
  weight: number;
  config: Json;
  judge: JudgeCase;
}

export interface SuiteCheck extends CheckEntry, Place {}
export interface SuiteCaseCheck extends CaseCheckEntry, Place {}

/** The checks of a test, those of its turns first. */
export function checksOf({ turns = [], checks }: Pick<SuiteTest, "turns" | "checks">): SuiteCheck[] {
  return [...turns.flatMap((turn) => turn.checks), ...checks];
}

/** Whether a test talks to its agent in several runs. */
export function isConversation({ turns, user }: Pick<SuiteTest, "turns" | "user">): boolean {
  return turns !== undefined || user !== undefined;
}
