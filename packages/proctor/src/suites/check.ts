// The contract of a check: one file in checks/, one line in checks/registry.ts.
import { messageOf } from "../core/message-of.ts";
import type { z } from "zod";
import type { Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { LlmScript } from "../core/llm-script.ts";
import type { RunCommand } from "../core/ports/commands.ts";
import type { AskLlm } from "../core/ports/llm.ts";
import type { Verify } from "../core/ports/verify.ts";
import type { WorkspaceView } from "../core/ports/workspaces.ts";
import type { Run } from "../core/run.ts";
import type { AnswerCache } from "./judge/answer-cache.ts";
import type { AttemptResult } from "./result.ts";
import { unevaluated } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** An ended run, as a check sees it; or a whole conversation, whose last run is the answer. */
export interface CheckSubject {
  run: Run;
  /** The whole log, in order. It may be read more than once. */
  events(): AsyncIterable<RunEvent>;
  /** What was said, asked and answered, line by line: in the run, or in all runs of a conversation. */
  transcript(): Promise<string>;
  /** The bytes of an artifact. Throws when they are not here, or too many. */
  readArtifact(artifact: Artifact): Promise<Uint8Array>;
  /** The bytes of an artifact in pieces, however many there are. */
  openArtifact(artifact: Artifact): Promise<AsyncIterable<Uint8Array>>;
  /** The directory the run worked in, or a copy of it; throws when it was not kept, or is gone. */
  workspace(): Promise<WorkspaceView>;
  /** The folder of the file that the check stands in: relative paths in its config start here. */
  folder: string;
  services: CheckServices;
  /** Fires when the suite is interrupted. */
  signal: AbortSignal;
}

/** What a check may use in addition to the run. */
export interface CheckServices {
  runCommand: RunCommand;
  /** The judge; absent unless one is configured, because it costs money and sends what agents wrote elsewhere. */
  judge?: Judge;
  /** Makes a model of a script, for simulated users; absent where there is no such model. */
  scriptedModel?: (script: LlmScript) => AskLlm;
  /** Runs a verifier; absent where there are no environments. */
  verify?: Verify;
}

export interface Judge {
  ask: AskLlm;
  /** The model that is asked unless a check names another. */
  model: string;
  /** Earlier answers; every question is asked again when absent. */
  cache?: AnswerCache;
}

export interface Check<C> {
  type: string;
  /** The schema is strict: an unknown key in a check's `config` is an error of the suite. */
  config: z.ZodType<C>;
  evaluate(subject: CheckSubject, config: C): Promise<Verdict>;
  /** Whether it looks into the directory the run worked in, which is kept until the run is judged. */
  needsWorkspace?: (config: C) => boolean;
  /** Whether it asks a language model; it is unevaluated where none is configured. */
  needsJudge?: (config: C) => boolean;
  /** Whether it judges runs that did not complete, too. */
  judgesAnyEnd?: boolean;
  /** The files and folders that it reads, relative to the folder of the file that the check stands in. */
  files?: (config: C) => string[];
}

/** Judges all runs of a case together, once the last has ended. */
export interface CaseCheck<C> {
  type: string;
  config: z.ZodType<C>;
  judge(attempts: readonly AttemptResult[], config: C): Verdict;
}

export type Evaluate = (subject: CheckSubject) => Promise<Verdict>;
export type JudgeCase = (attempts: readonly AttemptResult[]) => Verdict;

/** A check whose config type is known only to itself, so that different ones fit in one list. */
export interface RegisteredCheck {
  type: string;
  config: z.ZodType;
  /** Takes a config that the schema has accepted. */
  bind(config: unknown): Evaluate;
  needsWorkspace(config: unknown): boolean;
  needsJudge(config: unknown): boolean;
  judgesAnyEnd: boolean;
  files(config: unknown): string[];
}

export interface RegisteredCaseCheck {
  type: string;
  config: z.ZodType;
  bind(config: unknown): JudgeCase;
}

export function register<C>(check: Check<C>): RegisteredCheck {
  return {
    type: check.type,
    config: check.config,
    bind(raw) {
      const config = check.config.parse(raw);
      return async (subject) => {
        try {
          return await check.evaluate(subject, config);
        } catch (error) {
          return unevaluated(`could not be evaluated: ${messageOf(error)}`);
        }
      };
    },
    needsWorkspace: (raw) => check.needsWorkspace?.(check.config.parse(raw)) ?? false,
    needsJudge: (raw) => check.needsJudge?.(check.config.parse(raw)) ?? false,
    judgesAnyEnd: check.judgesAnyEnd ?? false,
    files: (raw) => check.files?.(check.config.parse(raw)) ?? [],
  };
}

export function registerCaseCheck<C>(check: CaseCheck<C>): RegisteredCaseCheck {
  return {
    type: check.type,
    config: check.config,
    bind(raw) {
      const config = check.config.parse(raw);
      return (attempts) => {
        try {
          return check.judge(attempts, config);
        } catch (error) {
          return unevaluated(`could not be evaluated: ${messageOf(error)}`);
        }
      };
    },
  };
}
