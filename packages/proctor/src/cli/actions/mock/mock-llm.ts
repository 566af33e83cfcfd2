// `proctor mock llm`: serves the script of an LLM, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import { loadLlmScript } from "../../../suites/load-llm-script.ts";
import type { MockLlmFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { openCallFile } from "./open-call-file.ts";
import { createMockLlmReport } from "./mock-llm-report.ts";

export async function mockLlm(
  file: string,
  flags: MockLlmFlags,
  { io, composition }: CommandContext,
): Promise<number> {
  const script = await loadLlmScript(resolve(io.cwd, file), { variables: io.env, displayName: file });
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
        // A call is shown only after it has been written.
        await log?.write(call);
        report.call(call);
      },
    });
  } finally {
    await log?.close();
  }
  report.end();
  // Ctrl-C is how a mock is stopped, so a clean stop is success.
  return 0;
}
