// `proctor mock llm`: serves the script of an LLM, shows each call as it is answered, and counts them at the end.
import { resolve } from "node:path";
import { loadLlmScript } from "../../../suites/load-llm-script.ts";
import type { MockLlmFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockLlmReport } from "./mock-llm-report.ts";
import { ofModel } from "./double-requests.ts";
import { serveCalls } from "./serve-calls.ts";

export async function mockLlm(file: string, flags: MockLlmFlags, context: CommandContext): Promise<number> {
  const { io, composition } = context;
  const script = await loadLlmScript(resolve(io.cwd, file), { variables: io.env, displayName: file });
  const { host, port, key } = flags;
  const report = createMockLlmReport(createScreen(io), {
    json: flags.json === true,
    title: script.name ?? file,
    script,
  });
  const double = {
    kind: "model" as const,
    name: script.name ?? file,
    addressOf: ({ url }: { url: string }) => url,
    toRequest: ofModel,
  };
  return serveCalls(context, flags, double, report, (serving) =>
    composition.serveMockLlm({ script, host, port, ...(key !== undefined && { key }), ...serving }),
  );
}
