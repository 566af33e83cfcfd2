// `proctor test`: loads everything, opens the reports, then runs the plan on the hub.
import { isAddress, parseAddress } from "../../core/address.ts";
import { ProctorError } from "../../core/errors.ts";
import { schemeOf, unknownScheme } from "../../core/unknown-scheme.ts";
import { createPlan, type Plan, type Selection } from "../../suites/plan.ts";
import { suiteOutcome } from "../../suites/result.ts";
import { runSuite } from "../../suites/run-suite.ts";
import type { TestFlags } from "../commands/test.ts";
import { withHub, type CommandContext, type HubSession } from "../context.ts";
import { loadSuites } from "./load-suites.ts";
import { localAgent } from "./local-agent.ts";
import { openReporters } from "./open-reporters.ts";

export async function testSuites(
  names: readonly string[],
  flags: TestFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  refuseSingle(flags);
  const plan = createPlan(await loadSuites(names, context), selection(flags));
  const opened = openReporters(reporterFlags(flags), io);
  try {
    return await withHub(context, flags, "write", async (session) => {
      const placed = placeAgents(plan, session, io.cwd);
      await checkAgents(placed, session);
      const { results, summary } = await runSuite(
        placed,
        session.hub,
        {
          reporters: opened.reporters,
          ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
        },
        io.signal,
      );
      return summary.interrupted ? 130 : suiteOutcome(results);
    });
  } finally {
    opened.close();
  }
}

/** Compared with itself, everything agrees. */
function refuseSingle({ transports, agent }: TestFlags): void {
  const next = 'for example --transports "atp+stdio:node agent.mjs,atp+http://localhost:8000"';
  if (transports !== undefined && new Set(transports).size < 2) {
    throw new ProctorError("USAGE", `--transports needs at least two different addresses\n${next}`);
  }
  if (transports !== undefined && agent !== undefined) {
    throw new ProctorError("USAGE", `--transports already says which agent: leave out --agent\n${next}`);
  }
}

function selection(flags: TestFlags): Selection {
  const ids = [...(flags.only ?? []), ...(flags.id ?? [])];
  return {
    ...(flags.tag !== undefined && { tags: flags.tag.join(",") }),
    ...(ids.length > 0 && { ids }),
    ...(flags.agent !== undefined && { agents: flags.agent }),
    ...(flags.runs !== undefined && { runs: flags.runs }),
    ...(flags.timeout !== undefined && { timeoutSeconds: flags.timeout }),
    ...(flags.strict && { strict: true }),
    ...(flags.canary && { canary: true }),
    ...(flags.transports && { transports: flags.transports }),
  };
}

function reporterFlags({ reporter = [], json }: TestFlags): readonly string[] {
  const named = json === true ? [...reporter, "json"] : reporter;
  return named.length === 0 ? ["console"] : named;
}

/** Agents that a suite declares know their folder; one that was typed here is meant for here. */
function placeAgents(plan: Plan, session: HubSession, cwd: string): Plan {
  const cases = plan.cases.map((planned) => {
    const { target } = planned.agent;
    if (typeof target !== "string") return planned;
    return { ...planned, agent: { ...planned.agent, target: localAgent(target, session, cwd) } };
  });
  return { ...plan, cases };
}

/** An agent that nobody knows or speaks to is a mistake of the command line, found before anything runs. */
async function checkAgents(plan: Plan, { hub, composition: { schemes } }: HubSession): Promise<void> {
  const targets = new Set(plan.cases.map(({ agent }) => agent.target));
  for (const target of targets) {
    if (typeof target === "string" && !isAddress(target)) await hub.agent(target);
    else {
      const scheme = schemeOf(typeof target === "string" ? parseAddress(target) : target);
      if (!schemes.includes(scheme)) throw unknownScheme(scheme, schemes);
    }
  }
}
