// `proctor mock tools`: serves a file of tools alone, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import { loadTools } from "../../../suites/load-tools.ts";
import type { MockToolsFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { openCallFile } from "./open-call-file.ts";
import { createMockToolsReport } from "./mock-tools-report.ts";

export async function mockTools(
  file: string,
  flags: MockToolsFlags,
  { io, composition }: CommandContext,
): Promise<number> {
  const tools = await loadTools(resolve(io.cwd, file), { variables: io.env, displayName: file });
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
