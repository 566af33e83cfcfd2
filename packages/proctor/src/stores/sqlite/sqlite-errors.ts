// What SQLite and the file system report, as errors of the catalogue: what, where, and what to do next.
import { ProctorError, type ErrorCode } from "../../core/errors.ts";

/** Makes an error of the store out of what was thrown; returns anything else unchanged. */
export type ErrorMapper = (error: unknown) => unknown;

type Phase = "opening" | "opening to read" | "open";

const NO_ACCESS: Record<Phase, { code: ErrorCode; advice: string }> = {
  opening: {
    code: "DATA_DIR_UNWRITABLE",
    advice: "Make the directory and the file writable for this user, or choose another data directory.",
  },
  "opening to read": {
    code: "FILE_UNREADABLE",
    advice: "Check the path and that this user may read the file and its directory.",
  },
  open: { code: "STORE_UNAVAILABLE", advice: "Check the disk and the permissions of the data directory." },
};

/**
 * `phase` returns what the connection is used for when the error comes; `isDamaged` checks again before an open database is called
 * damaged.
 */
export function mapSqliteErrors(
  file: string,
  phase: () => Phase,
  isDamaged: () => boolean = () => true,
): ErrorMapper {
  return (error) => {
    if (ProctorError.is(error) || !(error instanceof Error)) return error;
    const made = (code: ErrorCode, what: string, advice: string): ProctorError =>
      new ProctorError(code, `${file}: ${what} (${error.message})\n${advice}`, { cause: error });
    const family = familyOf(error);
    switch (family) {
      case "FULL":
      case "ENOSPC":
      case "EDQUOT":
        return made("STORE_FULL", "no room to write", "Free some disk space; what was acknowledged is kept.");
      case "NOTADB":
      case "CORRUPT":
        if (phase() === "open" && !isDamaged()) {
          return made(
            "STORE_UNAVAILABLE",
            "what was read from the disk made no sense, and a second look found no damage",
            "Leave the file as it is. Check the disk (dmesg, its mount), then start the hub again.",
          );
        }
        return made(
          "DATABASE_CORRUPT",
          "this is not a sound database",
          "Restore it from a backup, or move the file away to start with an empty one.",
        );
      case "READONLY":
      case "CANTOPEN":
      case "PERM":
      case "AUTH":
      case "filesystem": {
        const { code, advice } = NO_ACCESS[phase()];
        return made(code, "no access", advice);
      }
      case "IOERR":
        return made(
          "STORE_UNAVAILABLE",
          "the disk fails",
          "Leave the file as it is: what was acknowledged is in it. Check the disk (dmesg, its mount), then start the hub again.",
        );
      case "BUSY":
      case "LOCKED":
      case "PROTOCOL":
      case "NOLFS":
      case "NOMEM":
        return made("STORE_UNAVAILABLE", "cannot be used now", "Try again; check the disk if it stays so.");
      default:
        return family === undefined || phase() === "open"
          ? error
          : made(
              "STORE_UNAVAILABLE",
              "cannot be opened",
              "Is it a database of Proctor's? If not, name another file.",
            );
    }
  };
}

/** Returns `IOERR` for `SQLITE_IOERR_WRITE`; `filesystem` for errors of the file system itself, except that it is full. */
function familyOf(error: Error): string | undefined {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (code === "ENOSPC" || code === "EDQUOT") return code;
  if (/^E[A-Z]+$/.test(code)) return "filesystem";
  // A connection that cannot be made has no code, only the number of SQLITE_CANTOPEN at the end of its message.
  if (/^ConnectionFailed\(.*: 14"\)$/s.test(error.message)) return "CANTOPEN";
  return /^SQLITE_([A-Z]+)/.exec(code)?.[1];
}
