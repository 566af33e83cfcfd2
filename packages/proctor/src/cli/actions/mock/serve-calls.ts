// Serves a mock as a command: each call is written to the file of `--log`, then shown, and all are counted at the end.
import { resolve } from "node:path";
import type { CliIo } from "../../cli-io.ts";
import { openCallFile } from "./open-call-file.ts";

export interface CallReport<Ready, Call> {
  ready(info: Ready): void;
  call(call: Call): void;
  end(): void;
}

interface Serving<Ready, Call> {
  onReady: (info: Ready) => void;
  onCall: (call: Call) => Promise<void>;
  signal: AbortSignal;
}

/** Returns the exit code when the mock has been stopped. */
export async function serveCalls<Ready, Call extends object>(
  io: CliIo,
  log: string | undefined,
  report: CallReport<Ready, Call>,
  serve: (serving: Serving<Ready, Call>) => Promise<void>,
): Promise<number> {
  io.signal.throwIfAborted();
  const file = log === undefined ? undefined : await openCallFile(resolve(io.cwd, log), log);
  try {
    await serve({
      signal: io.signal,
      onReady: (info) => report.ready(info),
      async onCall(call) {
        // A call is shown only after it has been written.
        await file?.write(call);
        report.call(call);
      },
    });
  } finally {
    await file?.close();
  }
  report.end();
  // Ctrl-C is how a mock is stopped, so a clean stop is success.
  return 0;
}
