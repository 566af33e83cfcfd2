// `proctor mock tools`: serves a file of tools alone, shows each call as it is answered, and counts them at the end.
import { open, type FileHandle } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { ObservedCall, ToolSet } from "../../core/tools.ts";
import { loadTools } from "../../suites/load-tools.ts";
import type { MockToolsFlags } from "../commands/mock.ts";
import type { CommandContext } from "../context.ts";
import { createScreen } from "../terminal/screen.ts";
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
  const log = flags.log === undefined ? undefined : await openLog(resolve(io.cwd, flags.log), flags.log);
  const report = createMockToolsReport(createScreen(io), {
    json: flags.json === true,
    title: tools.name ?? file,
  });
  let writing = Promise.resolve();
  try {
    await composition.serveMockTools({
      tools,
      host: flags.host,
      port: flags.port,
      signal: io.signal,
      onReady: (info) => report.ready(info),
      async onCall(call) {
        // One line after the other, and none shown that is not written.
        const mine = writing.then(() => log?.appendFile(`${JSON.stringify(call)}\n`));
        writing = mine.catch(() => {});
        await mine;
        report.call(call);
      },
    });
  } catch (error) {
    throw atThisCommand(error);
  } finally {
    await writing;
    await log?.close();
  }
  report.end();
  // Ctrl-C is how it is stopped: having stopped well is success.
  return 0;
}

async function openLog(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, "a");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ProctorError("USAGE", `the log ${shown} cannot be written: ${why}\ngive --log another file`, {
      cause,
    });
  }
}

/** The socket's own messages name the hub's settings. */
function atThisCommand(error: unknown): unknown {
  if (!ProctorError.is(error) || error.code !== "CONFIG_INVALID") return error;
  const message = error.message.replace("API_PORT", "--port").replace("API_HOST", "--host");
  return new ProctorError(error.code, message, { cause: error });
}
