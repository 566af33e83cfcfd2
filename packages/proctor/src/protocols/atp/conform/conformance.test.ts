// Every rule can fail, on every transport that has an occasion for it, and only for the agent that breaks it.
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import type { AgentSpec } from "../../../core/agent.ts";
import { parseAddress } from "../../../core/address.ts";
import type { RuleResult } from "../../../conformance/conformance.ts";
import { serveGrpc } from "../../../../test/fixtures/agents/wrong/serve-grpc.ts";
import { serveHttp, type Served } from "../../../../test/fixtures/agents/wrong/serve-http.ts";
import { serveWebSocket } from "../../../../test/fixtures/agents/wrong/serve-websocket.ts";
import { HANG_MS } from "../../../../test/support/eventually.ts";
import type { ConformanceOptions } from "../../../conformance/conformance.ts";
import { atpConformance } from "./conformance.ts";
import type { Transport } from "./exchange.ts";
import type { AtpRule } from "./rule.ts";
import { RULES } from "./rules.ts";

const program = fileURLToPath(new URL("../../../../test/fixtures/agents/wrong/stdio.mjs", import.meta.url));
const servers: Served[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const SERVE = { http: serveHttp, websocket: serveWebSocket, grpc: serveGrpc };
const TRANSPORTS: Transport[] = ["stdio", "http", "websocket", "grpc"];

async function agentOf(transport: Transport, sin: string): Promise<AgentSpec> {
  if (transport === "stdio") {
    return { protocol: "atp", transport, command: [process.execPath, program, sin] };
  }
  const server = await SERVE[transport](sin);
  servers.push(server);
  return parseAddress(`atp+${server.url}`);
}

async function check(agent: AgentSpec, options: Partial<ConformanceOptions> = {}): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const { signal } = new AbortController();
  for await (const result of atpConformance.check(agent, { timeoutMs: 10_000, signal, ...options })) {
    results.push(result);
  }
  return results;
}

const rulesOn = (transport: Transport): AtpRule[] =>
  RULES.filter(({ on }: AtpRule) => on === undefined || on.includes(transport));

const wrongs = TRANSPORTS.flatMap((transport) => rulesOn(transport).map(({ id }) => ({ transport, id })));

describe.concurrent("an agent without fault", () => {
  test.each(TRANSPORTS)("passes every rule over %s", async (transport) => {
    const results = await check(await agentOf(transport, "none"), { timeoutMs: HANG_MS });
    expect(results.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(results.map(({ rule }) => rule.id)).toEqual(rulesOn(transport).map(({ id }) => id));
  });
});

describe.concurrent("an agent that breaks one rule", () => {
  test.each(wrongs)("fails $id over $transport", async ({ transport, id }) => {
    const [result, ...others] = await check(await agentOf(transport, id), { only: [id] });
    expect(others).toEqual([]);
    expect(result).toMatchObject({ rule: { id }, outcome: "fail" });
    expect(result?.reason).toMatch(/^.+\n.+$/);
    expect(result?.evidence).toMatchObject({ sent: expect.any(String), received: expect.any(Array) });
  });
});
