// Where processes and terminals run. Three implementations in environments/; environments/environment.case.ts checks that each keeps the
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

/** Returns the id under which the terminal of a run is found. */
export function terminalId(runId: string): string {
  return `${runId}-terminal`;
}

export interface Environments {
  /** Resolves with what this machine can do, strongest first; found out once. */
  probe(): Promise<readonly EnvironmentReport[]>;
  /**
   * Throws ENVIRONMENT_UNAVAILABLE when this machine cannot give what is asked for, and BUILD_FAILED with file and line when its
   * Dockerfile cannot be satisfied. Never gives less than was asked for.
   */
  open(request: OpenEnvironment): Promise<Environment>;
  /** Returns the environment with this id, if it is open in this process. */
  find(id: string): Environment | undefined;
  /** Removes what a crash left behind; call it before runs start. */
  sweep(): Promise<void>;
  /** Destroys every environment that is still open. */
  close(): Promise<void>;
}

/** What one kind can do here, for `proctor doctor` and for the choice. */
export interface EnvironmentReport {
  kind: EnvironmentKind;
  available: boolean;
  /** The version, or why the kind is not available. */
  detail: string;
  /** Commands for people that make the kind available, or give it more. */
  advice: readonly string[];
  profiles: readonly Profile[];
  networks: readonly NetworkMode[];
  /** The names of the limits that the kind enforces. */
  limits: readonly string[];
}

export interface OpenEnvironment {
  /** Letters, digits and `-`, unique on this machine while it is open. Whatever is made for the environment carries it. */
  id: string;
  role: EnvironmentRole;
  options: EnvironmentOptions;
  /** Directories of this machine that are visible inside the environment. */
  mounts?: readonly Mount[];
  /** Whether only /tmp and what is mounted writable can be written. */
  readOnly?: boolean;
  /** Ports of this machine's loopback that programs inside reach under the same address, in every network mode. */
  ports?: readonly number[];
  /** A stream that `snapshot` wrote; it is applied before anything runs. */
  restore?: AsyncIterable<Uint8Array>;
  /**
   * An open environment whose files this one begins with, as they are now; instead of `restore`. What is written here never reaches it.
   * The files are not copied, where nothing runs in that one any more and the kind can do it.
   */
  over?: Environment;
  /** Absolute paths inside the environment; what `restore` or `over` has there or below is left out. */
  without?: readonly string[];
  /** Absolute paths inside; only these, with everything below them, are taken from `restore` or `over`. Everything when absent. */
  only?: readonly string[];
  /**
   * Puts programs, libraries and start files that `restore` or `over` changed back as they are in the root, and hides what it added to be
   * run in their place. The facts list them as `restored`; a kind that cannot do it says so in `notes`.
   */
  restoreSystem?: boolean;
  /** `changes()` and `snapshot()` will not be called and may throw, which saves remembering how the files began. */
  untracked?: boolean;
  /** Replaces the secrets of the run in file content. */
  redact?: (content: Uint8Array) => Uint8Array;
  /** An environment of the same kind whose network this one joins, so that servers that run there answer here. */
  network?: Environment;
  /** Programs that install and run test tools without a network come first in the path. */
  toolchain?: boolean;
  /** Aborts a build or a creation that is under way. */
  signal: AbortSignal;
}

export interface Mount {
  /** Absolute path of the directory on this machine. */
  source: string;
  /** Absolute path of the directory inside the environment. */
  target: string;
  writable?: boolean;
}

export interface Environment {
  readonly facts: EnvironmentFacts;
  readonly workdir: string;
  /** The `redact` that the environment was opened with, applied to bytes that are stored from it or from one opened over it. */
  readonly redact?: (content: Uint8Array) => Uint8Array;
  /** Starts a program; never throws: one that cannot be started exits with 126 or 127 and says why on stderr. */
  start(options: StartOptions): EnvironmentProcess;
  /** Runs a program to its end. */
  run(request: EnvironmentCommand): Promise<EnvironmentResult>;
  openShell(options?: ShellOptions): Promise<Shell>;
  openPty(options?: PtyOptions): Promise<Pty>;
  /** Copies a file, or the content of a directory, of this machine. Makes parents, and copies links as links. */
  copyIn(source: string, target: string): Promise<void>;
  /**
   * Copies a file or directory from inside into `target`, which must be an empty directory of this machine. Leaves out links, devices and
   * whatever would be outside of it, and says so. Throws when there is no such path, or more than `maxBytes`.
   */
  copyOut(
    source: string,
    target: string,
    limits: { maxBytes: number; maxFiles?: number },
  ): Promise<CopiedOut>;
  /** Lists what differs from the beginning, by path; `files` of the options and a restored snapshot are part of the beginning. */
  changes(): Promise<FileChange[]>;
  /**
   * Everything that differs from the root, whoever made it, as one stream that `restore` takes. Throws when there is more than
   * `maxBytes`. `redact` sees the content of each file.
   */
  snapshot(options: SnapshotOptions): AsyncIterable<Uint8Array>;
  /** Ends everything in it and removes it. Never rejects twice for the same reason; resolves when nothing is left. */
  destroy(): Promise<void>;
}

export interface StartOptions {
  command: readonly string[];
  /** Variables on top of the environment's own. */
  env?: Readonly<Record<string, string>>;
  /** Working directory inside the environment; `workdir` when absent. */
  cwd?: string;
  user?: string;
}

/** A running program, shaped so that the supervisor of a process of this machine can supervise it. */
export interface EnvironmentProcess {
  /** The process on this machine that the program belongs to; undefined when there is none. */
  readonly pid: number | undefined;
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly stderr: NodeJS.ReadableStream;
  readonly exited: Promise<ProcessEnd>;
  /** Signals the program and what it started. */
  signal(name: NodeJS.Signals): void;
  /** Signals processes that the program started after `since` (epoch milliseconds), but not the program itself. */
  signalChildren(name: NodeJS.Signals, since: number): Promise<void>;
}

export interface ProcessEnd {
  /** The exit code; 128 + the number of the signal where one ended the program inside. */
  code: number;
}

export interface EnvironmentCommand extends StartOptions {
  input?: string | Uint8Array;
  timeoutMs: number;
  /** Bytes of each stream that are kept; the rest is dropped from the middle. 1 MB when absent. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
}

export interface EnvironmentResult {
  /** The exit code; 124 at the time limit. */
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
  /** Bytes of one command's output that are kept in a file; DEFAULT_LIMITS.output_mb when absent. */
  wholeBytes?: number;
}

/** One shell that keeps its directory, variables, functions and background jobs. It runs one command at a time. */
export interface Shell {
  /** The working directory that the shell reports. */
  readonly cwd: string;
  run(command: string, options: ShellCommand): Promise<ShellResult>;
  close(): Promise<void>;
}

export interface ShellCommand {
  timeoutMs: number;
  signal?: AbortSignal;
  /** Called with pieces of the output as they arrive, at most its first `excerptBytes`. */
  onOutput?: (piece: Uint8Array) => void;
}

export interface ShellResult {
  /** The exit code; 124 at the time limit. */
  exitCode: number;
  cwd: string;
  output: OutputExcerpt;
  /** A file of this machine with the whole output, where the excerpt does not hold it. The caller removes it. */
  whole?: OutputFile;
  timedOut: boolean;
  /** Why the shell was replaced by a new one in the same directory, which knows nothing of the old one's variables and jobs. */
  restarted?: "exited" | "killed";
  durationMs: number;
}

export interface OutputExcerpt {
  /** Standard output and error as they arrived, cut in the middle between characters, without one final newline. */
  text: string;
  /** Bytes of the whole output. */
  bytes: number;
  truncated: boolean;
}

export interface OutputFile {
  path: string;
  bytes: number;
  /** False when there was more output than is kept. */
  complete: boolean;
  remove(): Promise<void>;
}

export interface PtyOptions {
  columns?: number;
  rows?: number;
  /** The program; a login shell of bash when absent. */
  command?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  user?: string;
}

export interface Pty {
  /** What the terminal shows, as it arrives; for one reader. Ends when the program does. */
  readonly output: AsyncIterable<Uint8Array>;
  readonly exited: Promise<ProcessEnd>;
  /** Resolves when the terminal has taken all of it, as far as its program reads; or when the terminal is gone. */
  write(data: string | Uint8Array): Promise<void>;
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
