// Why a program could not be started, in words for the person who wrote the command.
import { messageOf } from "../../core/message-of.ts";
import { accessSync, constants, statSync } from "node:fs";
import type { NotStartedReason, ProcessOutput } from "./process-output.ts";
import type { ProcessOptions } from "./process-options.ts";

export function notStarted(options: ProcessOptions, error: unknown): ProcessOutput {
  const [file = ""] = options.command;
  const say = (reason: NotStartedReason, message: string): ProcessOutput => ({
    kind: "not-started",
    reason,
    message,
  });
  if (file === "") return say("other", "the command is empty");
  // The system gives the same errors for the directory as for the program.
  if (options.cwd !== undefined && !isEnterable(options.cwd)) {
    return say("bad-cwd", `cannot start "${file}" in "${options.cwd}": not a directory that can be entered`);
  }
  switch (errorCode(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return say(
        "not-found",
        `"${file}" was not found, or the interpreter that its first line names was not`,
      );
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
      return say("not-executable", `"${file}" is not a file that may be executed`);
    default:
      return say("other", `"${file}" could not be started: ${messageOf(error)}`);
  }
}

function isEnterable(directory: string): boolean {
  try {
    accessSync(directory, constants.X_OK);
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
