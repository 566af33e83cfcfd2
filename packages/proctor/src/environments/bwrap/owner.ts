// Whose an environment's directory is: it lies below one that is named after the process that made it, in a way that tells a process
// from a later one with the same number.
import { readFileSync } from "node:fs";

export function ownName(): string {
  return `${process.pid}-${startTime(process.pid) ?? 0}`;
}

/** Undefined for what is no name of an owner. */
export function isAlive(name: string): boolean | undefined {
  const found = /^(\d+)-(\d+)$/.exec(name);
  if (found === null) return undefined;
  return startTime(Number(found[1])) === Number(found[2]);
}

/** In ticks since the machine started; undefined when there is no such process, or only what is left of one. */
function startTime(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}
