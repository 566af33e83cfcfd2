// A terminal task, whichever format it was written in.
import type {
  EnvironmentFile,
  EnvironmentLimits,
  EnvironmentOptions,
  TerminalOptions,
} from "../core/environment.ts";
import type { JsonObject } from "../core/json.ts";
import type { TestSolution } from "../suites/suite.ts";

export const TASK_FORMATS = ["harbor", "terminal-bench"] as const;
export type TaskFormat = (typeof TASK_FORMATS)[number];

export interface TerminalTask {
  /** Of the directory. */
  name: string;
  /** Absolute. */
  dir: string;
  format: TaskFormat;
  instruction: string;
  environment: EnvironmentOptions;
  terminal: TerminalOptions;
  /** For the agent's whole work: `task_total`. */
  timeoutSeconds: number;
  verifier: TaskVerifier;
  /** Absent where the task has none. */
  solution?: TestSolution;
  tags: string[];
  /** What the task says of itself: difficulty, category, author. */
  metadata: JsonObject;
}

export interface TaskVerifier {
  files: EnvironmentFile[];
  command: string[];
  env: Record<string, string>;
  user?: string;
  workdir?: string;
  timeoutSeconds: number;
  reward: "files" | "pytest" | "exit-code";
  /** The tests run in an image of their own, with nothing but these artifacts of what the agent left. */
  separate?: { build?: string; artifacts: string[]; limits?: EnvironmentLimits };
}
