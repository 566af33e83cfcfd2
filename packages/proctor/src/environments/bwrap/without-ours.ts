// What whoever started us left open would be open in every program of an environment as well. Node closes only the first few of these.
import { existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import type { IOType } from "node:child_process";

/** O_CLOEXEC of <fcntl.h>, in octal as /proc writes it. */
const O_CLOEXEC = 0o2000000;

let ours: { inherited: readonly number[]; nothing: number } | undefined;

function look(): { inherited: readonly number[]; nothing: number } {
  return (ours ??= { inherited: findInherited(), nothing: openSync("/dev/null", "r+") });
}

/** Returns `stdio` for `spawn` that ignores each of those descriptors. */
export function withoutOurs(stdio: readonly (IOType | number)[]): (IOType | number)[] {
  const { inherited, nothing } = look();
  const all: (IOType | number)[] = [...stdio];
  for (const descriptor of inherited) {
    if (descriptor < stdio.length) continue;
    while (all.length < descriptor) all.push("ignore");
    all[descriptor] = nothing;
  }
  return all;
}

/** Returns a command that closes those descriptors, for other code to start. A plain sh cannot close most of them. */
export function closingOurs(command: readonly string[]): string[] {
  const { inherited } = look();
  if (inherited.length === 0 || !existsSync(BASH)) return [...command];
  return [
    BASH,
    "-c",
    `exec ${inherited.map((descriptor) => `${descriptor}>&-`).join(" ")}; exec "$@"`,
    "bash",
    ...command,
  ];
}

const BASH = "/bin/bash";

function findInherited(): number[] {
  try {
    const all = readdirSync("/proc/self/fd").map(Number);
    return all.filter((descriptor) => descriptor > 2 && isInherited(descriptor)).toSorted((a, b) => a - b);
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags =
      /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    return false;
  }
}
