// All rules of A2A on a scripted agent with three bindings in the same process: how long `proctor conform` takes, and the CPU time of both.
import { startScriptedAgent } from "../packages/proctor/src/cli/compose/start-scripted-agent.ts";
import { tckPack } from "../packages/proctor/src/doubles/scripted/packs/tck.ts";
import { a2aConformance } from "../packages/proctor/src/protocols/a2a/conform/conformance.ts";
import type { Result } from "./measure.ts";

const TIMEOUT_MS = 30_000;
const MAX_WALL_MS = 20_000;
const MAX_CPU_MS = 10_000;

export async function bench(): Promise<Result[]> {
  const agent = await startScriptedAgent({ port: 0, grpcPort: 0, script: tckPack() });
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const outcomes = { pass: 0, fail: 0, unevaluated: 0 };
  try {
    const headers = { authorization: "Bearer itk-valid-token" };
    const spec = { protocol: "a2a", transport: "http", url: agent.url, headers };
    const { signal } = new AbortController();
    for await (const { outcome } of a2aConformance.check(spec, { timeoutMs: TIMEOUT_MS, signal })) {
      outcomes[outcome] += 1;
    }
  } finally {
    await agent.close();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const details = { passed: outcomes.pass, failed: outcomes.fail, unevaluated: outcomes.unevaluated };
  const shared = { name: "a2a-conform", unit: "ms", details } as const;
  const wallMs = performance.now() - startedAt;
  return [
    {
      ...shared,
      what: "all rules of A2A over three bindings, wall time",
      value: wallMs,
      bound: { atMost: MAX_WALL_MS },
    },
    {
      ...shared,
      what: "the same, CPU time of the agent and of the rules",
      value: (user + system) / 1000,
      bound: { atMost: MAX_CPU_MS },
    },
  ];
}
