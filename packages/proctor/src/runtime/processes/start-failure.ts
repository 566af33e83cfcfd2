// Why a program could not be started, in words for the person who wrote the command.
import { accessSync, constants, statSync } from "node:fs";
import { messageOf } from "../../core/message-of.ts";

export type NotStartedReason = "not-found" | "not-executable" | "bad-cwd" | "other";

interface StartFailure {
  reason: NotStartedReason;
  message: string;
  /** Exit code that a shell gives: 127 for a program that does not exist, 126 for one that cannot be run. */
  code: 126 | 127;
}

/** Returns the reason; `error` is what `spawn` threw or emitted. */
export function startFailure(file: string, cwd: string | undefined, error: unknown): StartFailure {
  if (file === "") return { reason: "other", message: "the command is empty", code: 127 };
  const errno = error instanceof Error && "code" in error ? error.code : undefined;
  const code = errno === "ENOENT" || errno === "ENOTDIR" ? 127 : 126;
  // The system gives the same errors for the directory as for the program.
  if (cwd !== undefined && !isEnterable(cwd)) {
    const message = `cannot start "${file}" in "${cwd}": not a directory that can be entered`;
    return { reason: "bad-cwd", message, code };
  }
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR": {
      const message = `"${file}" was not found, or the interpreter that its first line names was not`;
      return { reason: "not-found", message, code };
    }
    case "EACCES":
    case "EPERM":
    case "ENOEXEC":
      return {
        reason: "not-executable",
        message: `"${file}" is not a file that may be executed`,
        code,
      };
    case "E2BIG":
      return { reason: "other", message: `"${file}": its arguments and variables are too long`, code };
    default:
      return { reason: "other", message: `"${file}" could not be started: ${messageOf(error)}`, code };
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
