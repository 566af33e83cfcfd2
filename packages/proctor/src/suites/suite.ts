// A suite as it is run: everything expanded, defaults applied, every check bound and still knowing its place.
import type { EnvironmentFile } from "../core/environment.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { NewAgent } from "../core/ports/hub.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Constraints, Task } from "../core/task.ts";
import type { Evaluate, JudgeCase } from "./check.ts";
import type { Position } from "../runtime/yaml/problem.ts";

export interface Suite {
  /** As it was given, for messages. */
  file: string;
  name: string;
  description?: string;
  agents: NewAgent[];
  tests: SuiteTest[];
}

/** Where something stands: in the suite's own file, or in one that it includes. */
export interface Place extends Position {
  /** As messages name it. */
  file: string;
}

export interface SuiteTest extends Place {
  id: string;
  name: string;
  description?: string;
  tags: string[];
  task: Task;
  constraints: Constraints;
  /** For the agent's `context.environment`. */
  environment?: Record<string, string>;
  options?: RunOptions;
  /** What the built-in agent \`oracle\` gets, and nobody else. */
  solution?: TestSolution;
  /** Kept with each of its runs. */
  metadata?: JsonObject;
  /** Names of the suite's agents; absent means all of them. */
  agents?: string[];
  /** How often it runs on each agent: at most so often, where `gate` decides earlier. */
  runs: number;
  /** Runs of one case in flight at once; no limit of its own when absent. */
  concurrency?: number;
  checks: SuiteCheck[];
  /** Checks that judge all runs together. */
  caseChecks: SuiteCaseCheck[];
  /** Absolute: relative paths in its checks are taken from here. */
  folder: string;
  /** `pass_rate`: how many of its runs must pass, and how sure that must be. All of them when absent. */
  gate?: GateRule;
  /** 0 to 1: a run passes with this weighted mean of its checks; all must pass when absent. */
  threshold?: number;
  scoring: Scoring;
  /** `mode: comparison`. */
  contest?: ContestRule;
  /** What the matrix or the data set put in. */
  parameters?: JsonObject;
}

export interface TestSolution {
  files: EnvironmentFile[];
  /** What it types. */
  commands: string[];
}

export interface GateRule {
  /** Above 0, below 1. */
  at_least: number;
  confidence: number;
  max_runs: number;
  /** Decides as soon as it can; otherwise it looks once, at the end. */
  sequential: boolean;
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
  /** The agents work at the same time; otherwise one after the other. */
  parallel: boolean;
}

export interface CheckEntry {
  type: string;
  critical: boolean;
  weight: number;
  /** As the schema left it: part of what makes a case the same case. */
  config: Json;
  needsWorkspace: boolean;
  /** It asks a language model, and is unevaluated where none is configured. */
  needsJudge?: boolean;
  /** It judges what a run left, however that ended. */
  judgesAnyEnd?: boolean;
  /** Files that it reads, as its config names them. */
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
