// What in places of administrators, within directories that environments see, is not for everybody. Root inside could read it.
import { execFile } from "node:child_process";
import { TOOL_ENV, type Machine } from "./machine.ts";

const PLACES = ["/opt", "/usr/local"];
const MAX_BYTES = 16 * 1024 * 1024;

/** Absolute paths; the outermost of each. */
export function findPrivate({ tools }: Machine): Promise<string[]> {
  const unreadable = ["(", "-type", "f", "!", "-perm", "-004", "-o", "-type", "d", "!", "-perm", "-005", ")"];
  return new Promise((resolve, reject) => {
    execFile(
      tools.find,
      [...PLACES, "-xdev", ...unreadable, "-print0", "-prune"],
      { env: TOOL_ENV, maxBuffer: MAX_BYTES },
      (error, stdout) => {
        // A place that is not there, or a file that went away meanwhile, is no reason; too much to tell is one.
        if (error !== null && stdout.length >= MAX_BYTES)
          reject(new Error(`too much in ${PLACES.join(" and ")} is private to be hidden`));
        else resolve(stdout.split("\0").filter((path) => path !== ""));
      },
    );
  });
}
