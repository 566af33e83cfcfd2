// What bubblewrap is told for each program of an environment. Paths inside are either fixed and covered in every name space of the
// environment, or not touched here at all: its files may be anything by now.
import { existsSync, lstatSync, readdirSync } from "node:fs";
import type { Profile } from "../../core/environment.ts";
import { capabilityArguments } from "./profile-arguments.ts";

/** Descriptors that the wrapper opens. */
export const FD = { args: 3, status: 4, processes: 5, user: 6, filter: 7 } as const;

interface ProgramOptions {
  dir: string;
  /** Whether devices are mounted for all programs. */
  devices: boolean;
  profile: Profile;
  /** Whether there is a filter of system calls. */
  filter: boolean;
}

interface ProgramKind {
  readOnly: boolean;
  /** Whether the program keeps the terminal that it is started on. */
  terminal: boolean;
}

/** Returns the arguments, which are the same for all programs of a kind. */
export function sandboxArguments(options: ProgramOptions, { readOnly, terminal }: ProgramKind): string[] {
  const { dir, devices, profile, filter } = options;
  // A terminal of this machine only has a name inside where the program has its own devices.
  const ownDevices = terminal || !devices;
  return [
    ["--dev-bind", `${dir}/m`, "/"],
    ownDevices ? ["--dev", "/dev", "--bind", `${dir}/q/s`, "/dev/shm", "--remount-ro", "/dev"] : [],
    ["--proc", "/proc", ...procArguments()],
    readOnly ? ["--remount-ro", "/"] : [],
    ["--pidns", String(FD.processes)],
    profile === "strict" ? ["--userns", String(FD.user)] : [],
    capabilityArguments(profile),
    filter ? ["--seccomp", String(FD.filter)] : [],
    ["--json-status-fd", String(FD.status), "--clearenv"],
    terminal ? [] : ["--new-session"],
  ].flat();
}

export interface ProgramPlace {
  env: Readonly<Record<string, string>>;
  cwd: string;
}

export function placeArguments({ env, cwd }: ProgramPlace): string[] {
  return [...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]), "--chdir", cwd];
}

/** Files of the kernel that uid 0 could read or write without any capability. */
const WRITABLE = ["/proc/sys", "/proc/sysrq-trigger", "/proc/acpi", "/proc/fs", "/proc/scsi"];
const HIDDEN = ["/proc/keys", "/proc/latency_stats", "/proc/sched_debug", "/proc/timer_list"];

let known: string[] | undefined;

function procArguments(): string[] {
  known ??= [
    ...WRITABLE.flatMap((path) => (isWritable(path) ? ["--ro-bind", path, path] : [])),
    ...HIDDEN.flatMap((path) => (existsSync(path) ? ["--ro-bind", "/dev/null", path] : [])),
  ];
  return known;
}

/** Whether the path contains something that its owner may write. */
function isWritable(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() === true)
    return path === "/proc/sys" || readdirSync(path).some((name) => isWritable(`${path}/${name}`));
  return stat?.isFile() === true && (stat.mode & 0o222) !== 0;
}
