// What in places of administrators, within directories that environments see, is not for everybody. Root inside could read it.
import { execFile } from "node:child_process";
import { TOOL_ENV, type Machine } from "./machine.ts";

const PLACES = ["/opt", "/usr/local"];
const MAX_BYTES = 16 * 1024 * 1024;

/** Resolves with the absolute paths of private files and directories, without those inside another one. */
export function findPrivate({ tools }: Machine): Promise<string[]> {
  const unreadable = ["(", "-type", "f", "!", "-perm", "-004", "-o", "-type", "d", "!", "-perm", "-005", ")"];
  return new Promise((resolve, reject) => {
    execFile(
      tools.find,
      [...PLACES, "-xdev", ...unreadable, "-print0", "-prune"],
      { env: TOOL_ENV, maxBuffer: MAX_BYTES },
      (error, stdout) => {
        // A missing directory, or a file that went away meanwhile, is not a reason to fail; too much output is one.
        if (error !== null && stdout.length >= MAX_BYTES)
          reject(new Error(`too much in ${PLACES.join(" and ")} is private to be hidden`));
        else resolve(stdout.split("\0").filter((path) => path !== ""));
      },
    );
  });
}
