// Where a process or a terminal lives, as a client asks for it and as the run remembers it.
import type { JsonObject } from "./json.ts";

export const ENVIRONMENT_KINDS = ["bwrap", "container", "local"] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** `loopback`: the hub's own endpoints for this run (tools, model) and nothing else. `allow-list`: those and named hosts. */
export const NETWORK_MODES = ["none", "loopback", "allow-list", "host"] as const;
export type NetworkMode = (typeof NETWORK_MODES)[number];

/** `strict`: one user. `multi-user`: useradd, chown and su work; needs root outside. */
export const PROFILES = ["strict", "multi-user"] as const;
export type Profile = (typeof PROFILES)[number];

/** `auto`: multi-user where the machine has it; where it has not, `strict`, with a note. */
export const PROFILE_CHOICES = [...PROFILES, "auto"] as const;
export type ProfileChoice = (typeof PROFILE_CHOICES)[number];

export interface EnvironmentOptions extends JsonObject {
  /** The strongest that this machine has when absent; never `local`, which has to be asked for. */
  kind?: EnvironmentKind;
  /** Absolute: a directory whose Dockerfile is built. */
  build?: string;
  /** A container image. */
  image?: string;
  /** Absolute: a directory that is the root of the file system. The machine's own system directories when absent. */
  root?: string;
  /** `strict` unless said, or unless what is built needs more. */
  profile?: ProfileChoice;
  /** Where commands start: what the Dockerfile says, or `/app`. */
  workdir?: string;
  /** Whose commands they are: what the Dockerfile says, or root. */
  user?: string;
  /** Variables of every process in it. No secrets: they are kept with the run. */
  env?: Record<string, string>;
  /** `none` unless said. */
  network?: NetworkMode;
  /** `host` or `host:port`, `*.host` for what is below it; for `allow-list`. */
  allow_hosts?: string[];
  limits?: EnvironmentLimits;
  /** Copied in before anything runs. */
  files?: EnvironmentFile[];
  /** Begins with the files as they were after a step of another run; after its last when `step` is absent. */
  from?: { run_id: string; step?: number };
  /**
   * When the state of the files is kept: after each step, after steps where it costs little (`auto`, unless said), or at the end
   * only, or never.
   */
  snapshots?: "each" | "auto" | "last" | "off";
  /**
   * The terminal stays open after the run until `Hub.release`, or for an hour, so that a verifier works on its files and reaches the
   * servers that the agent started.
   */
  hold?: boolean;
  /** Programs that install what this machine has already, without a network, stand before those of the root. */
  toolchain?: boolean;
  /** How long a build may take: 600 unless said. */
  build_timeout_seconds?: number;
}

export interface EnvironmentLimits extends JsonObject {
  memory_mb?: number;
  processes?: number;
  /** Megabytes that may be written. */
  disk_mb?: number;
  cpus?: number;
  /** How much of the output of one command is kept whole; counted and dropped beyond it. */
  output_mb?: number;
}

/** Used where a client says nothing. */
export const DEFAULT_LIMITS = {
  memory_mb: 2048,
  processes: 512,
  disk_mb: 2048,
  output_mb: 16,
} as const satisfies EnvironmentLimits;

export interface EnvironmentFile extends JsonObject {
  /** Absolute, on the hub's machine: a file, or a directory whose content is taken. */
  source: string;
  /** Absolute, inside. */
  target: string;
}

/** What a run got; recorded as `environment.opened`. */
export interface EnvironmentFacts extends JsonObject {
  kind: EnvironmentKind;
  /** False for `local`: whoever reads a result must know. */
  isolated: boolean;
  /** `agent`: where its program lives. `terminal`: what it types into. `verifier`: where its work is judged. */
  role: EnvironmentRole;
  profile?: Profile;
  /** `host`, a directory, an image, or `build:<hash>`. */
  root: string;
  workdir: string;
  network: NetworkMode;
  allow_hosts?: string[];
  limits: EnvironmentLimits;
  /** The names of those limits that something here enforces. */
  enforced: string[];
  /** Each note is a sentence: what differs from the request, and why that is as good. */
  notes: string[];
  /** Files of the system that were put back as they are in the root, or hidden, before a verifier began: absolute, inside. */
  restored?: string[];
}

const ENVIRONMENT_ROLES = ["agent", "terminal", "verifier"] as const;
export type EnvironmentRole = (typeof ENVIRONMENT_ROLES)[number];

/** One path that differs from what the environment began with. */
export interface FileChange extends JsonObject {
  /** Absolute, inside. */
  path: string;
  change: "added" | "modified" | "removed";
  type: "file" | "directory" | "link" | "other";
  size_bytes?: number;
  /** Permission bits. */
  mode?: number;
}

/** How a terminal is worked in. Seconds. */
export interface TerminalOptions extends JsonObject {
  /** 100 unless said. */
  max_steps?: number;
  /** How long the agent may think about one step: 300 unless said. */
  agent_response_seconds?: number;
  /** How long one command may take: 120 unless said. */
  command_seconds?: number;
  /** `fresh`: each command has a shell of its own. `persistent` unless said. */
  shell?: "persistent" | "fresh";
  /** How many answers in a row may ask for nothing: 3 unless said. */
  noop_limit?: number;
  /** Takes the first JSON object out of a line with other text in it, and records a violation. */
  lenient?: boolean;
  /** The agent is asked once more whether it is done. */
  confirm_completion?: boolean;
  /** What the built-in agent `oracle` types: one command each. */
  script?: string[];
  /** How much of a command's output the agent sees, in bytes: 10,000 unless said. */
  output_limit?: number;
}
