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
  /** Directory that contains what `fstab` names: see `environment-dir.ts`. */
  dir: string;
  profile: Profile;
  /** Network of the environment; `own` has no way out. */
  network: "own" | "host" | { of: Keeper };
  /** Another environment's keeper, whose mounts are visible as well, because this environment lies over one of them. */
  beside?: Keeper;
  /** Called when the root is mounted, before anything runs in it; the mounts that it plans are added. */
  moreMounts?: (root: string) => Promise<void>;
  signal: AbortSignal;
}

export interface Keeper {
  /** Pid of the process outside of the environment that sees its mounts. */
  readonly outer: number;
  /** Pid on this machine of the first process inside. */
  readonly inner: number;
  /** The command that starts a program of this machine in the environment's network. */
  readonly enterNetwork: readonly string[];
  /** Why the keeper ended, when it was not killed. */
  readonly failure: string | undefined;
  readonly ended: Promise<void>;
  /** Kills all processes of the environment, and resolves when none is left. */
  kill(): Promise<void>;
}

/** The first process inside: it waits for our end, and reaps orphans by ignoring SIGCHLD. */
const WAIT = ["sh", "-c", "trap '' CHLD; exec cat"];

const KILL_MS = 5000;

export async function openKeeper(options: KeeperOptions): Promise<Keeper> {
  const { machine, dir, network, beside, moreMounts, signal } = options;
  signal.throwIfAborted();
  const { tools } = machine;
  const args = openMemoryFile(keeperArguments(options).join("\0"));
  const script = [
    // A process that enters other mounts starts at their root.
    `cd ${quote(dir)}`,
    // With this umask, mounts get the requested modes.
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
    // The keeper never ends where nothing reaps orphans, as in some containers, although they are dead there as well.
    if (!over && pid !== undefined && (inner <= 1 || !(await within(ended, KILL_MS))))
      sendSignal(pid, "SIGKILL");
    await ended;
    stdin.destroy();
    stderr.destroy();
    info.destroy();
  }

  // Killed in the middle, the keeper might leave a waiting child. It goes on until it finds that its input has ended.
  const onAbort = (): void => void stdin.end();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const lines = readInfo(info, ended);
    if (moreMounts !== undefined && pid !== undefined) {
      if ((await lines.next("mounted\n")) !== undefined) await moreMounts(`/proc/${pid}/root${dir}/m`);
      stdin.write("go\n");
    }
    const text = await lines.next("}\n");
    // Only the pid in bubblewrap's text is used.
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

/** Returns the streams that were requested as pipes. */
function pipesOf(child: ChildProcess): { stdin: Writable; stderr: Readable; info: Readable } {
  const [stdin, , stderr, info] = child.stdio;
  if (!(stdin instanceof Writable && stderr instanceof Readable && info instanceof Readable))
    throw new Error("the keeper has no pipes");
  return { stdin, stderr, info };
}

function unshareArguments({ root }: Machine): string[] {
  return root ? ["-m", "--propagation", "private"] : ["-U", "-r", "-m", "--propagation", "private"];
}

/** Without root, a network can only be entered from the user name space that owns it, that of the environment it was made for. */
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

/** Returns a reader of pieces of a stream, each up to an ending; it resolves with undefined when the process ended before. */
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
