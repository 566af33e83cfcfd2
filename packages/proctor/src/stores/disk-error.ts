// What the operating system says about a disk, as errors of the catalogue.
import { messageOf } from "../core/message-of.ts";
import { ProctorError } from "../core/errors.ts";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
const UNWRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

/** Returns the error to throw for `cause`, which came up while working in `directory`. */
export function diskError(cause: unknown, directory: string): ProctorError {
  if (ProctorError.is(cause)) return cause;
  const code = errnoOf(cause) ?? "";
  if (FULL.has(code)) {
    return new ProctorError(
      "STORE_FULL",
      `no space left in ${directory} (${code})\nfree some, then try again`,
      {
        cause,
      },
    );
  }
  if (UNWRITABLE.has(code)) {
    return new ProctorError(
      "DATA_DIR_UNWRITABLE",
      `${directory} cannot be written (${code})\nmake it a directory that this user may write, or choose another`,
      { cause },
    );
  }
  const reason = messageOf(cause);
  return new ProctorError("STORE_UNAVAILABLE", `${directory} cannot be used now: ${reason}`, { cause });
}

/** Returns `ENOENT` and the like; undefined for anything else that was thrown. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
