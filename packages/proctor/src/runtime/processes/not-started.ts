// A program that could not be started, in the shape of one that ran: it has exited, and its stderr says why.
import { Readable, Writable } from "node:stream";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";

export function notStarted({ code, message }: { code: number; message: string }): EnvironmentProcess {
  return {
    pid: undefined,
    stdin: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdout: Readable.from([]),
    stderr: Readable.from([Buffer.from(`${message}\n`)]),
    exited: Promise.resolve({ code }),
    signal: () => undefined,
    signalChildren: () => Promise.resolve(),
  };
}
