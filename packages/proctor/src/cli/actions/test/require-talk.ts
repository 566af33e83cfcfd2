// Whether the agents of tests that talk can do so. Decided before anything runs, as far as it can be known: the first turn of a
// conversation that cannot go on is paid for in vain.
import { isAddress, parseAddress } from "../../../core/address.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Talks } from "../../../core/ports/driver.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import { schemeOf } from "../../../core/unknown-scheme.ts";
import type { Plan } from "../../../suites/plan.ts";
import type { SuiteTest } from "../../../suites/suite.ts";

/** Throws NOT_SUPPORTED. What a hub elsewhere can do is not known here. */
export async function requireTalk(
  { cases }: Pick<Plan, "cases">,
  hub: Pick<Hub, "agent">,
  talksOf: (spec: Pick<AgentSpec, "protocol" | "transport">) => Promise<Talks>,
): Promise<void> {
  for (const { test, agent } of cases) {
    const { follows, asks } = needsOf(test);
    if (!follows && !asks) continue;
    const spec = await specOf(agent.target, hub);
    const talks = await talksOf(spec);
    const lacks =
      follows && talks.follows !== true
        ? "talks in several turns, and that agent cannot go on with a conversation"
        : asks && (talks.asks ?? []).length === 0
          ? "answers questions, and that agent has no way to ask any"
          : undefined;
    if (lacks === undefined) continue;
    const { file, line, col, id } = test;
    const what = `${file}:${line}:${col}  test "${id}" on ${agent.label} (${schemeOf(spec)}) ${lacks}`;
    throw new ProctorError("NOT_SUPPORTED", `${what}\n   name agents that can under "agents" of the test`);
  }
}

function needsOf({ turns = [], user }: SuiteTest): { follows: boolean; asks: boolean } {
  return {
    follows: turns.length > 1 || (user !== undefined && user.maxTurns > 1),
    asks: turns.some(({ answers }) => answers.length > 0),
  };
}

async function specOf(
  target: string | AgentSpec,
  hub: Pick<Hub, "agent">,
): Promise<Pick<AgentSpec, "protocol" | "transport">> {
  if (typeof target !== "string") return target;
  return isAddress(target) ? parseAddress(target) : hub.agent(target);
}
