// `proctor mock llm`: serves the script of an LLM, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import type { LlmCall, LlmScript } from "../../../core/llm-script.ts";
import { loadLlmScript } from "../../../suites/load-llm-script.ts";
import type { MockLlmFlags } from "../../commands/mock.ts";
import type { CommandContext } from "../../context.ts";
import { createScreen } from "../../terminal/screen.ts";
import { openCallFile } from "./open-call-file.ts";
import { createMockLlmReport, type MockLlmReady } from "./mock-llm-report.ts";

export interface ServeMockLlmOptions {
  script: LlmScript;
  host: string;
  port: number;
  /** What callers must send as a bearer token. */
  key?: string;
  onReady: (info: MockLlmReady) => void;
  /** Every call, before it is answered; the answer waits. */
  onCall: (call: LlmCall) => Promise<void>;
  /** Aborted to stop. */
  signal: AbortSignal;
}

/** Resolves when it has stopped. */
export type ServeMockLlm = (options: ServeMockLlmOptions) => Promise<void>;

export async function mockLlm(
  file: string,
  flags: MockLlmFlags,
  { io, parts }: CommandContext,
): Promise<number> {
  const script = await loadLlmScript(resolve(io.cwd, file), { variables: io.env, displayName: file });
  const composition = await parts.compose();
  io.signal.throwIfAborted();
  const log = flags.log === undefined ? undefined : await openCallFile(resolve(io.cwd, flags.log), flags.log);
  const report = createMockLlmReport(createScreen(io), {
    json: flags.json === true,
    title: script.name ?? file,
    script,
  });
  try {
    await composition.serveMockLlm({
      script,
      host: flags.host,
      port: flags.port,
      ...(flags.key !== undefined && { key: flags.key }),
      signal: io.signal,
      onReady: (info) => report.ready(info),
      async onCall(call) {
        // None is shown that is not written.
        await log?.write(call);
        report.call(call);
      },
    });
  } finally {
    await log?.close();
  }
  report.end();
  // Ctrl-C is how it is stopped: having stopped well is success.
  return 0;
}
