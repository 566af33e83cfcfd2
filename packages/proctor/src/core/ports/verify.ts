// Judges what a terminal run left behind: its files as they were at the end, in an environment of their own.
import type { EnvironmentFile, EnvironmentOptions, SystemTrust } from "../environment.ts";

export interface VerifyRequest {
  runId: string;
  /** The environment of the run, or the verifier's own. */
  environment: EnvironmentOptions;
  /** Id of the artifact that holds the run's files, used when its terminal is no longer open. Absent when none was kept. */
  snapshot?: string;
  /** Whether programs and start files that the agent changed are restored from the root, or used as it left them. */
  system: SystemTrust;
  /** Paths of the run's files that the verifier gets; all of them when absent. */
  only?: readonly string[];
  /** The tests, and other files that only the verifier may see. */
  files: readonly EnvironmentFile[];
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  user?: string;
  /** The directory in which the command starts; the environment's own when absent. */
  workdir?: string;
  timeoutMs: number;
  /** How a reward is found: in the files that the tests write, or in what pytest printed and the exit code. */
  reward: "files" | "pytest" | "exit-code";
}

export interface Verification {
  /** Rewards by name; `reward` is the main one. Null when there is none: then the trial was not judged. */
  rewards: Record<string, number> | null;
  /** Why there are no rewards. */
  reason?: string;
  /** True when the time limit ended the command. */
  timedOut: boolean;
  exitCode: number;
  /** The beginning and the end of standard output and error. */
  output: string;
  /** Small files that the tests wrote into /logs/verifier, by relative path. */
  files: Record<string, Uint8Array>;
  /** Notes of the environment about itself. */
  notes: readonly string[];
  /** System files that were restored before the tests ran. */
  restored?: readonly string[];
  setupMs: number;
  durationMs: number;
}

/** Judges a run. Throws ProctorError when the environment cannot be made. */
export type Verify = (request: VerifyRequest, signal: AbortSignal) => Promise<Verification>;
