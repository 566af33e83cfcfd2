// The process that an environment is: it holds the mounts in a name space of its own, and the name spaces of processes, network and names
// that all programs of the environment share. When it dies everything in it dies and nothing is left of its mounts; it dies with us.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import type { Profile } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import { within } from "../../runtime/processes/end-by-force.ts";
import { sendSignal } from "../../runtime/processes/signal.ts";
import { HOSTNAME } from "./host-files.ts";
import { TOOL_ENV, type Machine } from "./machine.ts";
import { openMemoryFile } from "./memory-file.ts";
import { capabilityArguments } from "./profile-arguments.ts";
import { quote, quoteAll } from "./quote.ts";
import { withoutOurs } from "./without-ours.ts";

interface KeeperOptions {
  machine: Machine;
  /** Holds what `fstab` names: see `environment-dir.ts`. */
  dir: string;
  profile: Profile;
  /** `own`: a network without a way out. */
  network: "own" | "host" | { of: Keeper };
  /** Whose mounts are seen beside its own: what it lies over is among them. */
  beside?: Keeper;
  /** Called when the root is mounted, before anything runs in it; what it plans is mounted as well. */
  moreMounts?: (root: string) => Promise<void>;
  signal: AbortSignal;
}

export interface Keeper {
  /** Outside of the environment, with its mounts in sight. */
  readonly outer: number;
  /** The first process inside; on this machine. */
  readonly inner: number;
  /** The command that starts a program of this machine in the environment's network. */
  readonly enterNetwork: readonly string[];
  /** Why it ended, when it did by itself. */
  readonly failure: string | undefined;
  readonly ended: Promise<void>;
  /** Resolves when no process is left in it. */
  kill(): Promise<void>;
}

/** Of a program inside: it waits for our end, and as the first process of its name space it takes care of orphans by ignoring them. */
const WAIT = ["sh", "-c", "trap '' CHLD; exec cat"];

const KILL_MS = 5000;

export async function openKeeper(options: KeeperOptions): Promise<Keeper> {
  const { machine, dir, network, beside, moreMounts, signal } = options;
  signal.throwIfAborted();
  const { tools } = machine;
  const args = openMemoryFile(keeperArguments(options).join("\0"));
  const script = [
    // Who enters other mounts begins at their root.
    `cd ${quote(dir)}`,
    // The modes of what is mounted are those that are asked for.
    "umask 0",
    `${tools.mount} -a -T fstab`,
    ...(moreMounts === undefined
      ? []
      : ["echo mounted >&3", "read -r go", `${tools.mount} -a -T fstab.more`]),
    `exec ${tools.bwrap} --args 4 -- ${quoteAll(WAIT)}`,
  ].join(" && ");
  const unshare = [tools.unshare, ...unshareArguments(machine), tools.sh, "-c", script];
  const [program = "", ...rest]: string[] = [
    ...(typeof network === "string" ? [] : network.of.enterNetwork),
    ...(beside === undefined ? [] : [tools.nsenter, `--mount=/proc/${beside.outer}/ns/mnt`]),
    ...unshare,
  ];
  const child = spawn(program, rest, {
    cwd: dir,
    env: TOOL_ENV,
    stdio: withoutOurs(["pipe", "ignore", "pipe", "pipe", args.descriptor]),
  });
  args.close();
  const { pid } = child;
  const { stdin, stderr, info } = pipesOf(child);
  let said = "";
  let killed = false;
  let over = pid === undefined;
  child.on("error", (error) => (said += error.message));
  stdin.on("error", () => undefined);
  stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const ended = over
    ? once(child, "error").then(() => undefined)
    : new Promise<void>((resolve) => {
        child.once("exit", () => {
          over = true;
          resolve();
        });
      });
  let inner = 0;

  async function kill(): Promise<void> {
    killed = true;
    // The end of the first process of a name space waits for the end of all others, and the keeper for it. It is ours to signal as
    // long as the keeper has not ended: until then its number is nobody else's.
    if (!over && inner > 1) sendSignal(inner, "SIGKILL");
    // It waits in vain where nobody takes care of orphans, as in a container whose first program does not: there they are dead as well.
    if (!over && pid !== undefined && (inner <= 1 || !(await within(ended, KILL_MS))))
      sendSignal(pid, "SIGKILL");
    await ended;
    stdin.destroy();
    stderr.destroy();
    info.destroy();
  }

  // Killed in the middle it might leave a child that waits for it: it makes what it makes, finds its input ended, and ends.
  const onAbort = (): void => void stdin.end();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const lines = readInfo(info, ended);
    if (moreMounts !== undefined && pid !== undefined) {
      if ((await lines.next("mounted\n")) !== undefined) await moreMounts(`/proc/${pid}/root${dir}/m`);
      stdin.write("go\n");
    }
    const text = await lines.next("}\n");
    // The text is bubblewrap's, and only the pid in it is used.
    inner = text === undefined ? 0 : Number(/"child-pid": (\d+)/.exec(text)?.[1] ?? 0);
    if (inner <= 1 || pid === undefined) {
      await ended;
      signal.throwIfAborted();
      throw new ProctorError(
        "ENVIRONMENT_UNAVAILABLE",
        `the environment could not be made: ${said.trim() || "it ended at once"}`,
      );
    }
    signal.throwIfAborted();
    return {
      outer: pid,
      inner,
      enterNetwork: enterNetwork(machine, network, pid, inner),
      get failure() {
        return over && !killed ? said.trim() || "it ended by itself" : undefined;
      },
      ended,
      kill,
    };
  } catch (error) {
    await kill();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function keeperArguments({ network, profile }: KeeperOptions): string[] {
  return [
    ["--bind", "m", "/"],
    ["--unshare-pid", "--as-pid-1", "--unshare-ipc", "--unshare-uts", "--hostname", HOSTNAME],
    network === "own" ? ["--unshare-net"] : [],
    profile === "strict" ? ["--unshare-user", "--uid", "0", "--gid", "0"] : [],
    capabilityArguments("strict"),
    ["--die-with-parent", "--info-fd", "3", "--chdir", "/", "--clearenv", "--setenv", "PATH", TOOL_ENV.PATH],
  ].flat();
}

/** The streams that were asked for as pipes. */
function pipesOf(child: ChildProcess): { stdin: Writable; stderr: Readable; info: Readable } {
  const [stdin, , stderr, info] = child.stdio;
  if (!(stdin instanceof Writable && stderr instanceof Readable && info instanceof Readable))
    throw new Error("the keeper has no pipes");
  return { stdin, stderr, info };
}

function unshareArguments({ root }: Machine): string[] {
  return root ? ["-m", "--propagation", "private"] : ["-U", "-r", "-m", "--propagation", "private"];
}

/** Without root, only whoever is in the user name space that owns a network gets into it: that of the environment it was made for. */
function enterNetwork(
  { root, tools }: Machine,
  network: KeeperOptions["network"],
  outer: number,
  inner: number,
): readonly string[] {
  if (root) return [tools.nsenter, `--net=/proc/${inner}/ns/net`];
  if (typeof network !== "string") return network.of.enterNetwork;
  return [
    tools.nsenter,
    `--user=/proc/${outer}/ns/user`,
    "--preserve-credentials",
    `--net=/proc/${inner}/ns/net`,
  ];
}

/** Pieces of a stream, each up to an ending; undefined when the process ended before. */
function readInfo(
  stream: Readable,
  ended: Promise<void>,
): { next(ending: string): Promise<string | undefined> } {
  let text = "";
  let look: (() => void) | undefined;
  let over = false;
  stream.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    look?.();
  });
  stream.on("error", () => undefined);
  void ended.then(() => {
    over = true;
    look?.();
  });
  return {
    next: (ending) =>
      new Promise((resolve) => {
        look = () => {
          const at = text.indexOf(ending);
          if (at < 0 && !over) return;
          look = undefined;
          resolve(at < 0 ? undefined : text.slice(0, at + ending.length));
          text = text.slice(at + ending.length);
        };
        look();
      }),
  };
}
