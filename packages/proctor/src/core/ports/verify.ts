// Judges what a terminal run left behind: its files as they were at the end, in an environment of their own.
import type { EnvironmentFile, EnvironmentOptions } from "../environment.ts";

export interface VerifyRequest {
  runId: string;
  /** Of the run, or of the verifier alone. */
  environment: EnvironmentOptions;
  /** What the run's environment was at its end. */
  snapshot: AsyncIterable<Uint8Array>;
  /** Of it, nothing but these. All of it when absent. */
  only?: readonly string[];
  /** The tests, and whatever else only the verifier may see. */
  files: readonly EnvironmentFile[];
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  user?: string;
  /** The environment's own when absent. */
  workdir?: string;
  timeoutMs: number;
  /** How a reward is found: in the files that the tests write, or in what pytest printed and the exit code. */
  reward: "files" | "pytest" | "exit-code";
}

export interface Verification {
  /** By name; `reward` where there is one. Null when there is none: then the trial was not judged. */
  rewards: Record<string, number> | null;
  /** Why there are none. */
  reason?: string;
  /** The limit that fired. */
  timedOut: boolean;
  exitCode: number;
  /** Standard output and error, head and tail. */
  output: string;
  /** What the tests wrote into /logs/verifier, by relative path; small ones only. */
  files: Record<string, Uint8Array>;
  /** Of the environment. */
  notes: readonly string[];
  setupMs: number;
  durationMs: number;
}

/** Throws ProctorError when the environment cannot be made. */
export type Verify = (request: VerifyRequest, signal: AbortSignal) => Promise<Verification>;
