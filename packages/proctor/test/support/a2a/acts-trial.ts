// Tries tests of ACTS on a scripted agent, with a server in front of it that may do one thing wrong.
import { fileURLToPath } from "node:url";
import type { RuleResult } from "../../../src/conformance/conformance.ts";
import { createActsConformance, type ActsOptions } from "../../../src/protocols/a2a/acts/acts.ts";
import { readActs } from "../../../src/protocols/a2a/acts/read-acts.ts";
import { serveSin } from "../../fixtures/agents/sinful/serve-sin.ts";
import type { Sin } from "../../fixtures/agents/sinful/sin.ts";
import { HANG_MS } from "../eventually.ts";

/** Our own tests: every construct of ACTS once. */
export const FOLDER = fileURLToPath(new URL("../../fixtures/acts", import.meta.url));
const ENVIRONMENT = {
  ACTS_BEHAVIOUR: "tck-message-response",
  A2A_INSUFFICIENT_TOKEN: "itk-insufficient-token",
};
const HEADERS = { authorization: "Bearer itk-valid-token" };

interface Asked extends ActsOptions {
  only?: readonly string[];
  environment?: Record<string, string>;
  folder?: string;
  timeoutMs?: number;
}

/** What tests of ACTS find in an agent with one sin. */
export async function actsResults(sin: Sin, asked: Asked = {}): Promise<RuleResult[]> {
  const { only, environment = ENVIRONMENT, folder = FOLDER, timeoutMs = HANG_MS, ...options } = asked;
  const agent = await serveSin(sin);
  try {
    const conformance = createActsConformance(await readActs(folder, "/"), options);
    const spec = { protocol: "a2a", transport: "http", url: agent.url, headers: HEADERS };
    const { signal } = new AbortController();
    const found: RuleResult[] = [];
    const checked = conformance.check(spec, {
      timeoutMs,
      signal,
      environment,
      ...(only && { only }),
    });
    for await (const result of checked) found.push(result);
    return found;
  } finally {
    await agent.close();
  }
}

/** Outcomes and reasons by the ids of the tests. */
export const outcomes = (found: readonly RuleResult[]): Record<string, string> =>
  Object.fromEntries(
    found.map(({ rule, outcome, reason }) => [
      rule.id.slice(5),
      reason === undefined ? outcome : `${outcome}: ${reason}`,
    ]),
  );
