// `proctor mock tools`: serves a file of tools alone, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { ObservedCall, ToolSet } from "../../../core/tools.ts";
import { loadTools } from "../../../suites/load-tools.ts";
import type { MockToolsFlags } from "../../commands/mock.ts";
import type { CommandContext } from "../../context.ts";
import { createScreen } from "../../terminal/screen.ts";
import { openCallFile } from "./open-call-file.ts";
import { createMockToolsReport, type MockToolsReady } from "./mock-tools-report.ts";

export type AnsweredCall = ObservedCall & { time: string };

export interface ServeMockToolsOptions {
  tools: ToolSet;
  host: string;
  port: number;
  onReady: (info: MockToolsReady) => void;
  /** Every call, before it is answered; the answer waits. */
  onCall: (call: AnsweredCall) => Promise<void>;
  /** Aborted to stop. */
  signal: AbortSignal;
}

/** Resolves when it has stopped. */
export type ServeMockTools = (options: ServeMockToolsOptions) => Promise<void>;

export async function mockTools(
  file: string,
  flags: MockToolsFlags,
  { io, parts }: CommandContext,
): Promise<number> {
  const tools = await loadTools(resolve(io.cwd, file), { variables: io.env, displayName: file });
  const composition = await parts.compose();
  io.signal.throwIfAborted();
  const log = flags.log === undefined ? undefined : await openCallFile(resolve(io.cwd, flags.log), flags.log);
  const report = createMockToolsReport(createScreen(io), {
    json: flags.json === true,
    title: tools.name ?? file,
  });
  try {
    await composition.serveMockTools({
      tools,
      host: flags.host,
      port: flags.port,
      signal: io.signal,
      onReady: (info) => report.ready(info),
      async onCall(call) {
        // None is shown that is not written.
        await log?.write(call);
        report.call(call);
      },
    });
  } catch (error) {
    throw atThisCommand(error);
  } finally {
    await log?.close();
  }
  report.end();
  // Ctrl-C is how it is stopped: having stopped well is success.
  return 0;
}

/** The socket's own messages name the hub's settings. */
function atThisCommand(error: unknown): unknown {
  if (!ProctorError.is(error) || error.code !== "CONFIG_INVALID") return error;
  const message = error.message.replace(" (API_PORT)", "").replace(" (API_HOST)", "");
  return new ProctorError(error.code, message, { cause: error });
}
