// A terminal task, whichever format it was written in.
import type {
  EnvironmentFile,
  EnvironmentLimits,
  EnvironmentOptions,
  TerminalOptions,
} from "../core/environment.ts";
import type { JsonObject } from "../core/json.ts";
import type { TestSolution } from "../suites/suite.ts";

export type TaskFormat = "harbor" | "terminal-bench";

export interface TerminalTask {
  /** Name of the task's directory. */
  name: string;
  /** Absolute path of the task's directory. */
  dir: string;
  format: TaskFormat;
  instruction: string;
  environment: EnvironmentOptions;
  terminal: TerminalOptions;
  /** Time limit of the agent's whole work, in seconds. */
  timeoutSeconds: number;
  verifier: TaskVerifier;
  /** The task's own solution. Absent where it has none. */
  solution?: TestSolution;
  tags: string[];
  /** The task's own metadata: difficulty, category, author. */
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
  /** Present when the tests run in an image of their own, with only these artifacts of what the agent left. */
  separate?: { build?: string; artifacts: string[]; limits?: EnvironmentLimits };
}
