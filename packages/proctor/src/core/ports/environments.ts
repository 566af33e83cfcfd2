// Where processes and terminals live. Three implementations in environments/; environments/environment.case.ts holds each to the
// same promises. Nothing is left of a destroyed environment: no process, mount, cgroup or file.
import type {
  EnvironmentFacts,
  EnvironmentKind,
  EnvironmentOptions,
  EnvironmentRole,
  FileChange,
  NetworkMode,
  Profile,
} from "../environment.ts";

/** The id under which the terminal of a run is found. */
export function terminalId(runId: string): string {
  return `${runId}-terminal`;
}

export interface Environments {
  /** What this machine can do, strongest first; looked at once. */
  probe(): Promise<readonly EnvironmentReport[]>;
  /**
   * Throws ENVIRONMENT_UNAVAILABLE when this machine cannot give what is asked for, and BUILD_FAILED with file and line when its
   * Dockerfile cannot be satisfied. Never gives less than was asked for.
   */
  open(request: OpenEnvironment): Promise<Environment>;
  /** One that is open here. */
  find(id: string): Environment | undefined;
  /** Removes what a crash left behind; call it before runs start. */
  sweep(): Promise<void>;
  /** Destroys what is still open. */
  close(): Promise<void>;
}

/** What one kind can do here, for `proctor doctor` and for the choice. */
export interface EnvironmentReport {
  kind: EnvironmentKind;
  available: boolean;
  /** Version, or why it is not available. */
  detail: string;
  /** What to do to get it, or more of it: commands for people. */
  advice: readonly string[];
  profiles: readonly Profile[];
  networks: readonly NetworkMode[];
  /** Names of the limits that are enforced. */
  limits: readonly string[];
}

export interface OpenEnvironment {
  /** Unique on this machine while it is open: letters, digits and `-`. Names what is made for it. */
  id: string;
  role: EnvironmentRole;
  options: EnvironmentOptions;
  /** Directories of this machine that are seen inside. */
  mounts?: readonly Mount[];
  /** Nothing but /tmp and what is mounted writable can be written. */
  readOnly?: boolean;
  /** Ports of this machine's loopback that are reached inside under the same address, in every network mode. */
  ports?: readonly number[];
  /** What `snapshot` wrote; applied before anything runs. */
  restore?: AsyncIterable<Uint8Array>;
  /**
   * An open environment whose files this one begins with, as they are now and however many; instead of `restore`. What is written here
   * never reaches it. Opening this one needs no room for what that one holds, where nothing runs in it any more and the kind can do it.
   */
  over?: Environment;
  /** Absolute, inside: what `restore` or `over` has there or below is left out. */
  without?: readonly string[];
  /** Nothing else of it is taken: absolute, inside, with what is below. All of it when absent. */
  only?: readonly string[];
  /**
   * Programs, libraries and start files of the root that `restore` or `over` changed are those of the root again, and what it added to be
   * run in their place is not there. Told as `restored` of the facts; a kind that cannot do it says so in `notes`.
   */
  restoreSystem?: boolean;
  /** Nobody will ask for `changes()` or `snapshot()`, which then may throw. Saves what it costs to remember the beginning. */
  untracked?: boolean;
  /** The content without the secrets of whoever works in it. */
  redact?: (content: Uint8Array) => Uint8Array;
  /** An environment whose network it joins, so that servers that run there answer here. Of the same kind. */
  network?: Environment;
  /** Programs that install and run test tools without a network stand before those of the root. */
  toolchain?: boolean;
  /** Ends a build or a creation that is under way. */
  signal: AbortSignal;
}

export interface Mount {
  /** Absolute. */
  source: string;
  /** Absolute, inside. */
  target: string;
  writable?: boolean;
}

export interface Environment {
  readonly facts: EnvironmentFacts;
  readonly workdir: string;
  /** The function it was opened with, which takes secrets out of bytes that are stored from it or from one opened over it. */
  readonly redact?: (content: Uint8Array) => Uint8Array;
  /** Starts a program; never throws: one that cannot be started exits with 126 or 127 and says why on stderr. */
  start(options: StartOptions): EnvironmentProcess;
  /** Runs a program to its end. */
  run(request: EnvironmentCommand): Promise<EnvironmentResult>;
  openShell(options?: ShellOptions): Promise<Shell>;
  openPty(options?: PtyOptions): Promise<Pty>;
  /** A file, or the content of a directory, of this machine. Parents are made; links are copied as links. */
  copyIn(source: string, target: string): Promise<void>;
  /**
   * A file or directory from inside, below `target` of this machine, which must be an empty directory. Links, devices and whatever
   * would stand outside of it are left out. Resolves with what was left out. Throws when there is no such path, or more than `maxBytes`.
   */
  copyOut(
    source: string,
    target: string,
    limits: { maxBytes: number; maxFiles?: number },
  ): Promise<CopiedOut>;
  /** What differs from the beginning, by path; `files` of the options and a restored snapshot are part of the beginning. */
  changes(): Promise<FileChange[]>;
  /**
   * The state of all files as one stream that `restore` takes: everything that differs from the root, whoever made it. Throws
   * when there is more than `maxBytes`. `redact` sees the content of each file.
   */
  snapshot(options: SnapshotOptions): AsyncIterable<Uint8Array>;
  /** Ends everything in it and removes it. Never rejects twice for the same reason; resolves when nothing is left. */
  destroy(): Promise<void>;
}

export interface StartOptions {
  command: readonly string[];
  /** On top of the environment's own. */
  env?: Readonly<Record<string, string>>;
  /** Inside; `workdir` when absent. */
  cwd?: string;
  user?: string;
}

/** A running program, shaped so that what supervises a process of this machine can supervise it. */
export interface EnvironmentProcess {
  /** On this machine, of what holds it together; undefined when there is no such process here. */
  readonly pid: number | undefined;
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly exited: Promise<ProcessEnd>;
  /** To the program and what it started. */
  signal(name: NodeJS.Signals): void;
  /** To what it started after that time (milliseconds since 1970), not to itself. */
  signalChildren(name: NodeJS.Signals, since: number): Promise<void>;
}

export interface ProcessEnd {
  /** 128 + the number of the signal where one ended it inside. */
  code: number;
}

export interface EnvironmentCommand extends StartOptions {
  input?: string | Uint8Array;
  timeoutMs: number;
  /** Bytes kept of each stream; what exceeds them is read and dropped from the middle. 1 MB when absent. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export interface EnvironmentResult {
  /** 124 at the time limit. */
  code: number;
  stdout: string;
  stderr: string;
  truncated: boolean;
  timedOut: boolean;
  durationMs: number;
}

export interface ShellOptions {
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  user?: string;
  /** Bytes of output that an excerpt holds; 10,000 when absent. */
  excerptBytes?: number;
  /** Bytes of output of one command that are kept whole in a file; DEFAULT_LIMITS.output_mb when absent. */
  wholeBytes?: number;
}

/** One shell that remembers: directory, variables, functions, background jobs. For one command at a time. */
export interface Shell {
  /** The working directory that the shell reports. */
  readonly cwd: string;
  run(command: string, options: ShellCommand): Promise<ShellResult>;
  close(): Promise<void>;
}

export interface ShellCommand {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Pieces of the output as they come, at most the first `excerptBytes` of it. */
  onOutput?: (piece: Uint8Array) => void;
}

export interface ShellResult {
  /** 124 at the time limit. */
  exitCode: number;
  cwd: string;
  output: OutputExcerpt;
  /** All of it, where the excerpt does not hold it: a file of this machine, which the caller removes. */
  whole?: OutputFile;
  timedOut: boolean;
  /** The shell is gone and a new one was started in the last directory; what the old one knew is lost. */
  restarted?: "exited" | "killed";
  durationMs: number;
}

export interface OutputExcerpt {
  /** Standard output and error as they came, cut in the middle on a character's border, without one final newline. */
  text: string;
  /** Bytes of the whole output. */
  bytes: number;
  truncated: boolean;
}

export interface OutputFile {
  path: string;
  bytes: number;
  /** False when there was more than is kept. */
  complete: boolean;
  remove(): Promise<void>;
}

export interface PtyOptions {
  columns?: number;
  rows?: number;
  /** A login shell of bash when absent. */
  command?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  user?: string;
}

export interface Pty {
  /** What the terminal shows, as it comes; for one reader. Ends when the program does. */
  readonly output: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessEnd>;
  write(data: string | Uint8Array): void;
  resize(columns: number, rows: number): void;
  close(): Promise<void>;
}

export interface CopiedOut {
  files: number;
  bytes: number;
  /** Paths that were not copied, with the reason. */
  leftOut: string[];
}

export interface SnapshotOptions {
  maxBytes: number;
  /** Returns the same bytes where there is nothing to hide. */
  redact?: (content: Uint8Array) => Uint8Array;
}
