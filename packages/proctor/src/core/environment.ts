// Where a process or a terminal runs, as a client asks for it and as the run remembers it.
import type { JsonObject } from "./json.ts";

export const ENVIRONMENT_KINDS = ["bwrap", "container", "local"] as const;
export type EnvironmentKind = (typeof ENVIRONMENT_KINDS)[number];

/** `loopback`: the hub's own endpoints for this run (tools, model) and nothing else. `allow-list`: those and named hosts. */
export const NETWORK_MODES = ["none", "loopback", "allow-list", "host"] as const;
export type NetworkMode = (typeof NETWORK_MODES)[number];

/** `strict`: one user. `multi-user`: useradd, chown and su work; needs root outside. */
const PROFILES = ["strict", "multi-user"] as const;
export type Profile = (typeof PROFILES)[number];

/** `auto`: multi-user where the machine has it; where it has not, `strict`, with a note. */
export const PROFILE_CHOICES = [...PROFILES, "auto"] as const;
export type ProfileChoice = (typeof PROFILE_CHOICES)[number];

export interface EnvironmentOptions extends JsonObject {
  /** The kind of environment. When absent, the strongest that this machine has; never `local`, which has to be asked for. */
  kind?: EnvironmentKind;
  /** Absolute path of a directory whose Dockerfile is built. */
  build?: string;
  /** Name of a container image. */
  image?: string;
  /** Absolute path of a directory that is the root of the file system. The machine's own system directories when absent. */
  root?: string;
  /** The profile; when absent `strict`, unless what is built needs more. */
  profile?: ProfileChoice;
  /** The directory in which commands start; when absent what the Dockerfile says, or `/app`. */
  workdir?: string;
  /** The user who runs the commands; when absent what the Dockerfile says, or root. */
  user?: string;
  /** Variables of every process in the environment. They are stored with the run, so they must not be secrets. */
  env?: Record<string, string>;
  /** The network of the environment; `none` when absent. */
  network?: NetworkMode;
  /** Hosts that `allow-list` allows: `host`, `host:port`, or `*.host` for what is below it. */
  allow_hosts?: string[];
  limits?: EnvironmentLimits;
  /** Files that are copied in before anything runs. */
  files?: EnvironmentFile[];
  /** The environment begins with the files as they were after a step of another run; after its last when `step` is absent. */
  from?: { run_id: string; step?: number };
  /**
   * When the state of the files is kept: after each step, after steps where it costs little (`auto`, the default), at the end only, or
   * never.
   */
  snapshots?: "each" | "auto" | "last" | "off";
  /**
   * The terminal stays open after the run until `Hub.release`, or for an hour, so that a verifier works on its files and reaches the
   * servers that the agent started.
   */
  hold?: boolean;
  /** Programs that install what this machine already has, without a network, come first in the path. */
  toolchain?: boolean;
  /** Seconds that a build may take; 600 when absent. */
  build_timeout_seconds?: number;
}

export interface EnvironmentLimits extends JsonObject {
  memory_mb?: number;
  processes?: number;
  /** Megabytes that may be written. */
  disk_mb?: number;
  cpus?: number;
  /** Megabytes of one command's output that are kept; the rest is counted and dropped. */
  output_mb?: number;
}

/** Limits that count where a client sets none. */
export const DEFAULT_LIMITS = {
  memory_mb: 2048,
  processes: 512,
  disk_mb: 2048,
  output_mb: 16,
} as const satisfies EnvironmentLimits;

export interface EnvironmentFile extends JsonObject {
  /** Absolute path on the hub's machine: a file, or a directory whose content is copied. */
  source: string;
  /** Absolute path inside the environment. */
  target: string;
}

/** What a run received; recorded as `environment.opened`. */
export interface EnvironmentFacts extends JsonObject {
  kind: EnvironmentKind;
  /** False for `local`, which is not isolated: readers of a result must know this. */
  isolated: boolean;
  /** `agent`: where the agent's program runs. `terminal`: what it types into. `verifier`: where its work is judged. */
  role: EnvironmentRole;
  profile?: Profile;
  /** The root of the file system: `host`, a directory, an image, or `build:<hash>`. */
  root: string;
  workdir: string;
  network: NetworkMode;
  allow_hosts?: string[];
  limits: EnvironmentLimits;
  /** The names of the limits that this machine enforces. */
  enforced: string[];
  /** Each note is a sentence: what differs from the request, and why that is as good. */
  notes: string[];
  /** Absolute paths, inside, of system files that were put back as they are in the root, or hidden, before a verifier began. */
  restored?: string[];
}

const ENVIRONMENT_ROLES = ["agent", "terminal", "verifier"] as const;
export type EnvironmentRole = (typeof ENVIRONMENT_ROLES)[number];

/** One path that differs from what the environment began with. */
export interface FileChange extends JsonObject {
  /** Absolute path inside the environment. */
  path: string;
  change: "added" | "modified" | "removed";
  type: "file" | "directory" | "link" | "other";
  size_bytes?: number;
  /** The permission bits of the file. */
  mode?: number;
}

/** How an agent works in a terminal. */
export interface TerminalOptions extends JsonObject {
  /** Most steps that the agent may take; 100 when absent. */
  max_steps?: number;
  /** Seconds that the agent may think about one step; 300 when absent. */
  agent_response_seconds?: number;
  /** Seconds that one command may take; 120 when absent. */
  command_seconds?: number;
  /** `fresh` gives each command a shell of its own; `persistent` when absent. */
  shell?: "persistent" | "fresh";
  /** Answers in a row that may ask for nothing; 3 when absent. */
  noop_limit?: number;
  /** Takes the first JSON object out of a line with other text in it, and records a violation. */
  lenient?: boolean;
  /** Asks the agent once more whether it is done. */
  confirm_completion?: boolean;
  /** The commands that the built-in agent `oracle` types. */
  script?: string[];
  /** Bytes of a command's output that the agent sees; 10,000 when absent. */
  output_limit?: number;
}

/** What happens to system programs that an agent changed, before its work is judged. */
export const SYSTEM_TRUST = ["restored", "as-left"] as const;
export type SystemTrust = (typeof SYSTEM_TRUST)[number];
