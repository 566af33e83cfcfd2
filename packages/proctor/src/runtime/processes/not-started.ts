// A program that could not be started, in the shape of one that ran: it has exited, and its stderr says why.
import { Readable, Writable } from "node:stream";
import type { EnvironmentProcess } from "../../core/ports/environments.ts";

interface Failure {
  code: number;
  message: string;
}

export function notStarted(failure: Failure | Promise<Failure>): EnvironmentProcess {
  return {
    pid: undefined,
    stdin: new Writable({ write: (_chunk, _encoding, done) => done() }),
    stdout: Readable.from([]),
    stderr: Readable.from(lineOf(failure)),
    exited: Promise.resolve(failure).then(({ code }) => ({ code })),
    signal: () => undefined,
    signalChildren: () => Promise.resolve(),
  };
}

async function* lineOf(failure: Failure | Promise<Failure>): AsyncGenerator<Buffer> {
  yield Buffer.from(`${(await failure).message}\n`);
}
