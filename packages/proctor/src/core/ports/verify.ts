// Judges what a terminal run left behind: its files as they were at the end, in an environment of their own.
import type { EnvironmentFile, EnvironmentOptions } from "../environment.ts";

export interface VerifyRequest {
  runId: string;
  /** Of the run, or of the verifier alone. */
  environment: EnvironmentOptions;
  /** Opens what was kept of the run's files; asked only where its environment is no longer open. Absent when nothing was kept. */
  snapshot?: () => Promise<AsyncIterable<Uint8Array>>;
  /** Programs and start files of the system that the agent changed: those of the root again, or as it left them. */
  system: SystemTrust;
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

export const SYSTEM_TRUST = ["restored", "as-left"] as const;
export type SystemTrust = (typeof SYSTEM_TRUST)[number];

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
  /** Files of the system that the tests did not find as the agent left them. */
  restored?: readonly string[];
  setupMs: number;
  durationMs: number;
}

/** Throws ProctorError when the environment cannot be made. */
export type Verify = (request: VerifyRequest, signal: AbortSignal) => Promise<Verification>;
