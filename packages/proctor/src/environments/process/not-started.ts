// A program that could not be started, in the shape of one that ran: it has exited, and its stderr says why.
import { messageOf } from "../../core/message-of.ts";
import { Readable, Writable } from "node:stream";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";

/** 127: there is no such program. 126: there is one, and it cannot be run. */
export type NotStartedCode = 126 | 127;

export function notStarted(code: NotStartedCode, reason: string): EnvironmentProcess {
  return {
    pid: undefined,
    stdin: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdout: Readable.from([]),
    stderr: Readable.from([Buffer.from(`${reason}\n`)]),
    exited: Promise.resolve({ code }),
    signal: () => undefined,
    signalChildren: () => Promise.resolve(),
  };
}

/** Why the system refused, in words for the person who wrote the command. */
export function whyNotStarted(
  file: string,
  cwd: string | undefined,
  error: unknown,
): { code: NotStartedCode; reason: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      // The system says the same of a missing directory.
      return {
        code: 127,
        reason: `${file}: not found${cwd === undefined ? "" : ` (or there is no directory ${cwd})`}`,
      };
    case "EACCES":
    case "EPERM":
      return { code: 126, reason: `${file}: permission denied` };
    case "ENOEXEC":
      return { code: 126, reason: `${file}: not a program for this machine` };
    case "E2BIG":
      return { code: 126, reason: `${file}: its arguments and variables are too long` };
    default:
      return { code: 126, reason: `${file}: ${messageOf(error)}` };
  }
}
