// Serves a mock as a command: each call is written to the file of `--log`, then shown and reported to the hub, and all are counted at the end.
import { resolve } from "node:path";
import type { DoubleKind, NewDoubleRequest } from "../../../core/double.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { openAnnouncer } from "./open-announcer.ts";
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

/** What is reported to the hub about a mock. */
interface Announced<Ready, Call> {
  kind: DoubleKind;
  name: string;
  addressOf: (info: Ready) => string;
  toRequest: (call: Call) => NewDoubleRequest;
}

interface ServeCallsFlags {
  log?: string;
  hub?: string;
  private?: boolean;
}

/** Returns the exit code when the mock has been stopped. */
export async function serveCalls<Ready, Call extends object>(
  context: CommandContext,
  flags: ServeCallsFlags,
  double: Announced<Ready, Call> | undefined,
  report: CallReport<Ready, Call>,
  serve: (serving: Serving<Ready, Call>) => Promise<void>,
): Promise<number> {
  const { io } = context;
  const { log } = flags;
  io.signal.throwIfAborted();
  // What stands in for nothing, such as a bridge, is not announced to the hub.
  const announcer = double && (await openAnnouncer(context, flags, double));
  const file = log === undefined ? undefined : await openCallFile(resolve(io.cwd, log), log);
  try {
    await serve({
      signal: io.signal,
      onReady(info) {
        report.ready(info);
        if (double) announcer?.start(double.addressOf(info));
      },
      async onCall(call) {
        // A call is shown only after it has been written.
        await file?.write(call);
        report.call(call);
        if (double) announcer?.tell(double.toRequest(call));
      },
    });
  } finally {
    await file?.close();
    await announcer?.close();
  }
  report.end();
  // Ctrl-C is how a mock is stopped, so a clean stop is success.
  return 0;
}
