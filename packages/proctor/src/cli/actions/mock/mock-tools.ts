// `proctor mock tools`: serves a file of tools alone, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import { loadTools } from "../../../suites/load-tools.ts";
import type { ServedFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockToolsReport } from "./mock-tools-report.ts";
import { ofTools } from "./double-requests.ts";
import { serveCalls } from "./serve-calls.ts";

export async function mockTools(file: string, flags: ServedFlags, context: CommandContext): Promise<number> {
  const { io, composition } = context;
  const tools = await loadTools(resolve(io.cwd, file), { variables: io.env, displayName: file });
  const { host, port } = flags;
  const report = createMockToolsReport(createScreen(io), {
    json: flags.json === true,
    title: tools.name ?? file,
  });
  const double = {
    kind: "tools" as const,
    name: tools.name ?? file,
    addressOf: ({ endpoint }: { endpoint: string }) => endpoint,
    toRequest: ofTools,
  };
  return serveCalls(context, flags, double, report, (serving) =>
    composition.serveMockTools({ tools, host, port, ...serving }),
  );
}
