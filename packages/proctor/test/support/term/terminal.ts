// A terminal for tests: a real bash and a real PTY in a directory of its own, and the rest of an environment as plain as it can be.
// A test can force its failures.
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange } from "../../../src/core/environment.ts";
import type { AgentReport, Job } from "../../../src/core/ports/driver.ts";
import { createTermDriver } from "../../../src/protocols/term/driver.ts";
import type { TermDriverOptions } from "../../../src/protocols/term/driver.ts";
import type {
  Environment,
  EnvironmentProcess,
  Shell,
  StartOptions,
} from "../../../src/core/ports/environments.ts";
import { startHere } from "../../../src/runtime/processes/start-here.ts";
import { runToEnd } from "../../../src/runtime/processes/run-to-end.ts";
import { openPty } from "../../../src/environments/pty/open-pty.ts";
import { openShell } from "../../../src/environments/shell/open-shell.ts";

export interface CaseTerminal {
  environment: Environment;
  workdir: string;
  /** The commands that its shells were given. */
  commands: string[];
  /** Number of shells that were opened. */
  readonly shells: number;
  /** When each snapshot began and ended; none may overlap a command. */
  snapshots: { beganAt: number; endedAt: number }[];
  /** How long a snapshot takes, in milliseconds. */
  snapshotMs: number;
  /** Makes everything fail from now on. */
  breakDown(): void;
  close(): Promise<void>;
}

export async function openCaseTerminal(): Promise<CaseTerminal> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "proctor-case-")));
  const programs = new Set<EnvironmentProcess>();
  const closers: (() => Promise<void>)[] = [];
  const commands: string[] = [];
  const snapshots: CaseTerminal["snapshots"] = [];
  let shells = 0;
  let broken = false;

  function start(options: StartOptions): EnvironmentProcess {
    const { command, env, cwd } = options;
    const path = process.env["PATH"] ?? "";
    const program = startHere({ command, env: { PATH: path, HOME: base, ...env }, cwd: cwd ?? base });
    programs.add(program);
    return program;
  }

  function watched(shell: Shell): Shell {
    return {
      get cwd() {
        return shell.cwd;
      },
      run(command, options) {
        if (broken) return Promise.reject(new Error("the sandbox is gone"));
        commands.push(command);
        return shell.run(command, options);
      },
      close: () => shell.close(),
    };
  }

  async function* snapshot(): AsyncGenerator<Uint8Array> {
    const times = { beganAt: performance.now(), endedAt: 0 };
    snapshots.push(times);
    if (terminal.snapshotMs > 0) await new Promise((resolve) => setTimeout(resolve, terminal.snapshotMs));
    for (const name of await filesIn(base))
      yield Buffer.from(`${name}\n${await readFile(join(base, name), "utf8")}\n`);
    times.endedAt = performance.now();
  }

  const environment: Environment = {
    facts: {
      kind: "local",
      isolated: false,
      role: "terminal",
      root: "host",
      workdir: base,
      network: "host",
      limits: { output_mb: 1 },
      enforced: [],
      notes: [],
    },
    workdir: base,
    start,
    run: (request) => runToEnd(start, request),
    async openShell(options = {}) {
      if (broken) throw new Error("the sandbox is gone");
      shells++;
      const shell = await openShell(start, { ...options, workdir: base });
      closers.push(() => shell.close());
      return watched(shell);
    },
    async openPty(options = {}) {
      if (broken) throw new Error("the sandbox is gone");
      const { command = ["bash"], env, cwd } = options;
      const variables = { PATH: process.env["PATH"] ?? "", HOME: base, LANG: "C.UTF-8", ...env };
      const pty = await openPty({ command, env: variables, cwd: cwd ?? base }, options);
      closers.push(() => pty.close());
      return pty;
    },
    copyIn: () => Promise.reject(new Error("not here")),
    copyOut: () => Promise.reject(new Error("not here")),
    async changes() {
      if (broken) throw new Error("the sandbox is gone");
      const names = await filesIn(base);
      return names.map((name): FileChange => ({ path: join(base, name), change: "added", type: "file" }));
    },
    snapshot,
    destroy: () => Promise.resolve(),
  };
  const terminal: CaseTerminal = {
    environment,
    workdir: base,
    commands,
    get shells() {
      return shells;
    },
    snapshots,
    snapshotMs: 0,
    breakDown() {
      broken = true;
    },
    async close() {
      for (const close of closers) await close();
      for (const program of programs) program.signal("SIGKILL");
      await Promise.all(Array.from(programs, ({ exited }) => exited));
      await rm(base, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return terminal;
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

export interface Trial {
  reports: AgentReport[];
  cancel(): void;
  kill(): void;
  pause(): void;
  resume(): void;
  done: Promise<void>;
}

/** Opens a session of the driver and takes all it reports. */
export function startTrial(job: Partial<Job> & Pick<Job, "spec">, options: TermDriverOptions = {}): Trial {
  const cancel = new AbortController();
  const kill = new AbortController();
  const whole: Job = {
    runId: randomUUID(),
    task: { description: "Create hello.txt with 'Hello, world!'" },
    constraints: {},
    context: {},
    metadata: {},
    traceId: "0123456789abcdef0123456789abcdef",
    ...job,
  };
  const session = createTermDriver({ hubId: "case", ...options }).open(whole, {
    cancel: cancel.signal,
    kill: kill.signal,
  });
  const reports: AgentReport[] = [];
  const consume = async (): Promise<void> => {
    for await (const report of session) reports.push(report);
  };
  return {
    reports,
    cancel: () => cancel.abort(),
    kill: () => kill.abort(),
    pause: () => session.pause?.(),
    resume: () => session.resume?.(),
    done: consume(),
  };
}
