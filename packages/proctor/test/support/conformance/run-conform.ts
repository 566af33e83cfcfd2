// `proctor conform` in this process, with a protocol whose findings the test has written.
import { NO_PLATFORM } from "../run/no-platform.ts";
import type { Conformance, ConformanceOptions, RuleResult } from "../../../src/conformance/conformance.ts";
import type { AgentSpec } from "../../../src/core/agent.ts";
import { composition } from "../../../src/cli/compose/compose.ts";
import type { Config } from "../../../src/cli/config/load-config.ts";
import { main } from "../../../src/cli/main.ts";
import { createHubDouble, createIo, type HubDouble, type IoDouble } from "../cli/program-double.ts";

export interface Scripted extends Conformance {
  /** What was asked of the protocol, one for each trial. */
  asked: { spec: AgentSpec; options: ConformanceOptions }[];
}

export function scripted(...results: (Omit<RuleResult, "durationMs"> & { durationMs?: number })[]): Scripted {
  const asked: Scripted["asked"] = [];
  return {
    asked,
    rules: results.map(({ rule }) => rule),
    async *check(spec, options) {
      asked.push({ spec, options });
      for (const result of results) {
        if (options.only?.includes(result.rule.id) !== false) yield { durationMs: 1, ...result };
      }
    },
  };
}

export async function runConform(
  argv: readonly string[],
  conformance: Conformance,
  { io = createIo(), hub = createHubDouble() }: { io?: IoDouble; hub?: HubDouble } = {},
): Promise<{ code: number; out: string; err: string }> {
  const code = await main(["conform", ...argv], io, {
    ...composition,
    // No test here looks at the configuration.
    loadConfig: async () => ({}) as Config,
    openHub: async () => ({
      hub,
      platform: NO_PLATFORM,
      where: "in-process",
      onThisMachine: true,
      close: async () => {},
    }),
    conformance: async () => conformance,
  });
  return { code, out: io.out(), err: io.err() };
}
