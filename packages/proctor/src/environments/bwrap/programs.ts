// Starts programs in an environment: each is a bubblewrap of its own that joins the name spaces of the environment's keeper, and sees the
// same files and processes as all others.
import { messageOf } from "../../core/message-of.ts";
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import type { Profile } from "../../core/environment.ts";
import type { EnvironmentProcess, ProcessEnd } from "../../core/ports/environments.ts";
import { fromChild } from "../../runtime/processes/from-child.ts";
import { notStarted } from "../../runtime/processes/not-started.ts";
import { openPipes } from "../../runtime/processes/pipes.ts";
import { listProcesses } from "../../runtime/processes/process-table.ts";
import { signalChildren, startedBy } from "../../runtime/processes/signal-children.ts";
import { sendSignal, signalGroup } from "../../runtime/processes/signal.ts";
import type { Keeper } from "./keeper.ts";
import { TOOL_ENV, type Machine } from "./machine.ts";
import { openMemoryFile, type MemoryFile } from "./memory-file.ts";
import { FD, placeArguments, sandboxArguments, type ProgramPlace } from "./program-arguments.ts";
import { quote, quoteAll } from "./quote.ts";
import { closingOurs, withoutOurs } from "./without-ours.ts";

interface LauncherOptions {
  machine: Machine;
  keeper: Keeper;
  dir: string;
  profile: Profile;
  network: "own" | "host" | "shared";
  /** Whether devices are mounted for all programs. */
  devices: boolean;
  /** Path of a file with a filter of system calls; undefined where there is none. */
  filter: string | undefined;
  /** Files that a process writes 0 to, so that the limits hold for it. */
  entrances: readonly string[];
  /** Arguments of `ulimit`. */
  rlimits: readonly string[];
}

export interface ProgramStart extends ProgramPlace {
  command: readonly string[];
  readOnly: boolean;
}

export interface Launcher {
  start(program: ProgramStart): EnvironmentProcess;
  /** Prepares a program for a terminal of this machine. `deaf`: the wrapper of the program ignores the keyboard's signals. */
  onTerminal(program: ProgramStart, deaf: boolean): TerminalProgram;
  /** Resolves when all started programs have ended. */
  idle(): Promise<void>;
}

interface TerminalProgram {
  /** The command that has to run on the terminal. */
  command: string[];
  env: Record<string, string>;
  kill(): Promise<void>;
  /** Must be called when the program runs, or `end` when it could not be started. */
  follow(exited: Promise<unknown>): void;
  end(): void;
}

export function createLauncher(options: LauncherOptions): Launcher {
  const { machine, keeper } = options;
  const { tools } = machine;
  const running = new Set<Promise<unknown>>();
  const prefixes = new Map<string, string>();
  let awake = false;

  function argumentsFile(program: ProgramStart, terminal: boolean): MemoryFile {
    const kind = { readOnly: program.readOnly, terminal };
    const key = JSON.stringify(kind);
    const prefix =
      prefixes.get(key) ??
      sandboxArguments({ ...options, filter: options.filter !== undefined }, kind).join("\0");
    prefixes.set(key, prefix);
    return openMemoryFile(`${prefix}\0${placeArguments(program).join("\0")}`);
  }

  function start(program: ProgramStart): EnvironmentProcess {
    if (keeper.failure !== undefined)
      return notStarted({ code: 126, message: `the environment has ended: ${keeper.failure}` });
    const args = argumentsFile(program, false);
    const status = openMemoryFile();
    const pipes = openPipes();
    let child: ChildProcess;
    try {
      child = spawn(tools.sh, ["-c", wrapper(options, awake), "sh", ...program.command], {
        cwd: "/",
        env: TOOL_ENV,
        detached: true,
        stdio: withoutOurs([
          ...(pipes?.stdio ?? (["pipe", "pipe", "pipe"] as const)),
          args.descriptor,
          status.descriptor,
        ]),
      });
    } catch (error) {
      status.close();
      for (const stream of [pipes?.stdin, pipes?.stdout, pipes?.stderr]) stream?.destroy();
      return notStarted({ code: 126, message: messageOf(error) });
    } finally {
      args.close();
      pipes?.handOver();
    }
    const inner = fromChild(
      child,
      pipes === undefined ? {} : { stdin: pipes.stdin, stdout: pipes.stdout, stderr: pipes.stderr },
    );
    const exited = inner.exited.then((end) => {
      awake = true;
      const ran = hasRun(status, child);
      status.close();
      return ran ? end : whyNotRun(program, end);
    });
    track(exited);
    return { ...inner, exited, ...signals(child, status) };
  }

  /** Resolves with why a program did not start, which bubblewrap only says in words; usually there is no such program. */
  async function whyNotRun(program: ProgramStart, end: ProcessEnd): Promise<ProcessEnd> {
    if (end.code > 128 || keeper.failure !== undefined) return { code: end.code > 128 ? end.code : 126 };
    const [name = ""] = program.command;
    if (name === LOOKER) return { code: 127 };
    const look = start({
      ...program,
      command: [LOOKER, "-c", 'p=$(command -v -- "$1") && [ -e "$p" ]', "sh", name],
      cwd: "/",
    });
    look.stdout.resume();
    look.stderr.resume();
    look.stdin.end();
    const { code } = await look.exited;
    return { code: code === 0 ? 126 : 127 };
  }

  function onTerminal(program: ProgramStart, deaf: boolean): TerminalProgram {
    const args = argumentsFile(program, true);
    const status = openMemoryFile();
    const own = `/proc/${process.pid}/fd`;
    const descriptors = `exec ${FD.args}<${own}/${args.descriptor} ${FD.status}>${own}/${status.descriptor} && echo "outer $$" >&${FD.status}`;
    const script = `${descriptors}; ${deaf ? "trap '' INT QUIT TSTP; " : ""}${wrapper(options, awake)}`;
    const end = (): void => {
      args.close();
      status.close();
    };
    return {
      command: closingOurs([tools.sh, "-c", script, "sh", ...program.command]),
      env: { ...TOOL_ENV },
      async kill() {
        const pid = innerPid(status);
        if (pid !== undefined) await killTree(pid);
      },
      follow(exited) {
        // A terminal that is not read may never report its end.
        const over = Promise.race([exited, ended.then(() => processEnded(outerPid(status)))]);
        track(over.finally(end));
      },
      end,
    };
  }

  const ended = keeper.ended;

  function track(exited: Promise<unknown>): void {
    running.add(exited);
    void exited.finally(() => running.delete(exited));
  }

  return {
    start,
    onTerminal,
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const LOOKER = "/bin/sh";

/** Returns a script that enters the groups, waits until the keeper is ready, opens the name spaces to join, and becomes bubblewrap. */
function wrapper(options: LauncherOptions, awake: boolean): string {
  const { machine, keeper, network, profile, entrances, rlimits, filter } = options;
  const { inner, outer } = keeper;
  const { tools, root } = machine;
  const space = (name: string): string => `/proc/${inner}/ns/${name}`;
  const before = network === "shared" && !root ? `${quoteAll(keeper.enterNetwork)} ` : "";
  const enter = [
    ...(root ? [] : [`--user=/proc/${outer}/ns/user`, "--preserve-credentials"]),
    `--mount=/proc/${outer}/ns/mnt`,
    ...(network === "own" || (network === "shared" && root) ? [`--net=${space("net")}`] : []),
    `--ipc=${space("ipc")}`,
    `--uts=${space("uts")}`,
  ];
  return [
    ...entrances.map((file) => `echo 0 >${quote(file)} || exit 126`),
    "umask 022",
    ...rlimits.map((words) => `ulimit ${words}`),
    // The name of the keeper's first process changes when all is set up.
    ...(awake ? [] : [`while read -r name </proc/${inner}/comm && [ "$name" = bwrap ]; do :; done`]),
    [
      `exec ${before}${tools.nsenter} ${enter.join(" ")} ${tools.bwrap} --args ${FD.args} -- "$@"`,
      `${FD.processes}<${space("pid")}`,
      ...(profile === "strict" ? [`${FD.user}<${space("user")}`] : []),
      ...(filter === undefined ? [] : [`${FD.filter}<${quote(filter)}`]),
    ].join(" "),
  ].join("; ");
}

/** Returns the program's pid on this machine, once there is one. */
function innerPid(status: MemoryFile): number | undefined {
  const pid = Number(/"child-pid": (\d+)/.exec(status.read())?.[1] ?? 0);
  // A signal to 0 or 1 would reach other processes.
  return pid > 1 ? pid : undefined;
}

/** Returns the pid of the wrapper of a program on a terminal. */
function outerPid(status: MemoryFile): number | undefined {
  const pid = Number(/^outer (\d+)/.exec(status.read())?.[1] ?? 0);
  return pid > 1 ? pid : undefined;
}

const LOOK_EACH_MS = 5;
const LOOK_TIMES = 400;

async function processEnded(pid: number | undefined): Promise<void> {
  if (pid === undefined) return;
  for (let times = 0; times < LOOK_TIMES && sendSignal(pid, 0); times++) await delay(LOOK_EACH_MS);
}

/** Whether the program ran. Bubblewrap reports an exit code only of a program that it could start, and none when it is killed itself. */
function hasRun(status: MemoryFile, child: ChildProcess): boolean {
  return child.signalCode !== null || status.read().includes('"exit-code"');
}

function signals(
  child: ChildProcess,
  status: MemoryFile,
): Pick<EnvironmentProcess, "signal" | "signalChildren"> {
  // Bubblewrap itself must not be signalled: it would end without a word of how the program did, and leave it to whoever takes care of
  // orphans here. Until it has ended, the number of its child is nobody else's.
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;

  function send(name: NodeJS.Signals, pid: number): void {
    if (name === "SIGKILL") void killTree(pid);
    else if (!signalGroup(pid, name)) sendSignal(pid, name);
  }

  /** Sends a signal as soon as the program exists. */
  async function sendSoon(name: NodeJS.Signals): Promise<void> {
    for (let times = 0; times < LOOK_TIMES && !isOver(); times++) {
      const pid = innerPid(status);
      if (pid !== undefined) return send(name, pid);
      await delay(LOOK_EACH_MS);
    }
    if (!isOver() && child.pid !== undefined) sendSignal(child.pid, "SIGKILL");
  }

  return {
    signal(name) {
      if (isOver() || child.pid === undefined) return;
      const pid = innerPid(status);
      if (pid === undefined) void sendSoon(name);
      else send(name, pid);
    },
    async signalChildren(name, since) {
      const pid = innerPid(status);
      if (!isOver() && pid !== undefined) await signalChildren(pid, name, since);
    },
  };
}

/** Kills a process with all that it started, even in sessions of their own. */
async function killTree(pid: number): Promise<void> {
  const below = startedBy(pid, await listProcesses());
  sendSignal(pid, "SIGKILL");
  signalGroup(pid, "SIGKILL");
  for (const row of below) sendSignal(row.pid, "SIGKILL");
}
