// What has to be done to build an image: stages of steps whose words are read and whose variables are replaced.
import type { Heredoc, Instruction } from "./parse-dockerfile.ts";
import type { BaseImage } from "./base-images.ts";

export interface Stage {
  index: number;
  /** The name that `AS` gives the stage. */
  name?: string;
  from: Instruction;
  /** What the stage is made from: an earlier stage, or an image that the root replaces. */
  base: { stage: number } | { image: BaseImage; reference: string };
  steps: Step[];
  /** Directory, user and variables after the stage's last instruction. */
  state: StageState;
}

export interface StageState {
  env: Record<string, string>;
  /** Values of the arguments that this stage declares. */
  args: Record<string, string | undefined>;
  /** Working directory; undefined until the file names one. */
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
  /** Path relative to the context. */
  source: string;
  target: string;
}

export interface CopyStep {
  kind: "copy";
  at: Instruction;
  /** Patterns of the sources, relative to the context, or absolute in the stage or image that is copied from. */
  sources: string[];
  /** Files whose content is in the Dockerfile itself. */
  inline: Heredoc[];
  /** Absolute path of the target; ends with `/` where it must be a directory. */
  target: string;
  from?: { stage: number } | { tool: "uv" };
  /** Owner of the files: `user`, `user:group`, or numbers. */
  owner?: string;
  mode?: number;
  /** True for ADD, which unpacks archives. */
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
