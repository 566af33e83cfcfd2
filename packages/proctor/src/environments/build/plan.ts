// What has to be done to build an image: stages of steps whose words are read and whose variables are replaced.
import type { Heredoc, Instruction } from "./parse-dockerfile.ts";
import type { BaseImage } from "./base-images.ts";

export interface Stage {
  index: number;
  /** The name that `AS` gives the stage. */
  name?: string;
  from: Instruction;
  /** A stage before it, or an image that the root stands in for. */
  base: { stage: number } | { image: BaseImage; reference: string };
  steps: Step[];
  /** Directory, user and variables after the stage's last instruction. */
  state: StageState;
}

export interface StageState {
  env: Record<string, string>;
  /** Declared in this stage, with their values. */
  args: Record<string, string | undefined>;
  /** Undefined until the file says one. */
  workdir?: string;
  user?: string;
  shell: string[];
}

export type Step = RunStep | CopyStep | WorkdirStep;

export interface RunStep {
  kind: "run";
  at: Instruction;
  command: string[];
  env: Record<string, string>;
  cwd: string;
  user?: string;
  /** Paths of the context that are mounted while the step runs. */
  binds: Bind[];
}

export interface Bind {
  /** Relative to the context. */
  source: string;
  target: string;
}

export interface CopyStep {
  kind: "copy";
  at: Instruction;
  /** Patterns: relative to the context, or absolute in what it is copied from. */
  sources: string[];
  /** Files whose content stands in the Dockerfile itself. */
  inline: Heredoc[];
  /** Absolute; ends with `/` where it must be a directory. */
  target: string;
  from?: { stage: number } | { tool: "uv" };
  /** `user`, `user:group`, or numbers. */
  owner?: string;
  mode?: number;
  /** ADD: archives are unpacked. */
  unpack: boolean;
}

interface WorkdirStep {
  kind: "workdir";
  at: Instruction;
  path: string;
}

export interface BuildPlan {
  stages: Stage[];
  needsUsers: boolean;
  notes: string[];
}
