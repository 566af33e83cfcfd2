// `proctor test`: loads everything, opens the reports, then runs the plan on the hub.
import { randomBytes } from "node:crypto";
import { isAddress, parseAddress } from "../../../core/address.ts";
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { suggest } from "../../../core/suggest.ts";
import { schemeOf, unknownScheme } from "../../../core/unknown-scheme.ts";
import { journalReporter } from "../../../suites/journal/journal.ts";
import { createJournalFile } from "../../../suites/journal/journal-files.ts";
import { createPlan, type Plan, type Selection } from "../../../suites/plan.ts";
import { localAgent } from "../../../hub/local-agent.ts";
import type { Summary } from "../../../suites/result.ts";
import { keyCases } from "../../../suites/run/case-key.ts";
import { runSuite } from "../../../suites/run/run-suite.ts";
import type { TestFlags } from "./flags.ts";
import { withHub, type CommandContext, type HubSession } from "../../compose/compose.ts";
import type { CheckServices } from "../../../suites/check.ts";
import type { Reporter } from "../../../suites/reporter.ts";
import { environmentOf } from "../environment-flags.ts";
import { loadSuites } from "./load-suites.ts";
import { listTests } from "./list-tests.ts";
import { openReporters, type OpenReporters } from "./open-reporters.ts";
import { openBaseline } from "./test-baseline.ts";
import { openObservers } from "./test-observers.ts";
import { openEarlier, recallOf, type Earlier } from "./test-recall.ts";
import { refuseContradictions } from "./test-contradictions.ts";
import { requireJudge } from "./require-judge.ts";
import { requireTalk } from "./require-talk.ts";
import { testExitCode } from "./test-exit-code.ts";
import { journaled, openEvaluation } from "./test-evaluation.ts";
import { verdictReporter } from "./verdict-reporter.ts";

/** Options for commands that run tests as part of something else. */
interface TestOptions {
  /** Reporters besides those that the user asked for. */
  reporters?: readonly Reporter[];
  /** True when stdout is only for what the command itself prints. */
  stdoutTaken?: boolean;
}

export async function testSuites(
  names: readonly string[],
  flags: TestFlags,
  context: CommandContext,
  options: TestOptions = {},
): Promise<number> {
  refuseContradictions(flags);
  if (flags.watch !== true) return testOnce(names, flags, context, options);
  const { watchSuites } = await import("./watch-suites.ts");
  return watchSuites(names, context, () => testOnce(names, flags, context, options));
}

async function testOnce(
  names: readonly string[],
  flags: TestFlags,
  context: CommandContext,
  { reporters = [], stdoutTaken = false }: TestOptions,
): Promise<number> {
  const { io } = context;
  const suites = await loadSuites(names, context);
  const baseline = await openBaseline(flags, suites, io.cwd);
  const earlier = await openEarlier(flags, context);
  const plan = createPlan(suites, { ...selection(flags), ...(earlier?.failed && { cases: earlier.failed }) });
  if (flags.list === true) {
    await earlier?.close();
    return listTests(plan, flags, io);
  }
  // Re-grading and replaying cost nothing, so a missing judge is no reason to refuse.
  if (flags.rescore !== true && flags.replay === undefined)
    await requireJudge(new Set(plan.cases.map(({ test }) => test)), flags, context);
  const opened = await openReporters(reporterFlags(flags), io, { stdoutTaken });
  try {
    // Re-grading writes nothing into the store.
    const mode = flags.rescore === true ? "read" : "write";
    const summary = await withHub(context, flags, mode, async (session) => {
      const keyed = await readyPlan(plan, session, { flags, cwd: io.cwd });
      return perform(keyed, { flags, context, session, earlier, opened, baseline, reporters });
    });
    opened.close();
    opened.announce();
    return testExitCode(summary);
  } finally {
    opened.close();
    await earlier?.close();
  }
}

interface PerformOptions {
  flags: TestFlags;
  context: CommandContext;
  session: HubSession;
  earlier: Earlier | undefined;
  opened: OpenReporters;
  baseline?: Awaited<ReturnType<typeof openBaseline>>;
  /** Services for checks. By default those that the configuration gives them. */
  services?: CheckServices;
  /** Reporters in addition to those that the user asked for. */
  reporters?: readonly Reporter[];
}

/** Runs a plan whose cases have their keys. */
export async function perform(plan: Plan, options: PerformOptions): Promise<Summary> {
  const { flags, context, session, earlier, opened, baseline, reporters = [] } = options;
  const { hub, config, composition, platform } = session;
  const recall = recallOf(flags, earlier, session, context.io.cwd);
  const observers = await openObservers(flags, session, context.io);
  const verdicts = verdictReporter(platform.registry);
  // The journal comes last: an invocation that cannot begin leaves no results that a later one would go on from.
  const now = new Date();
  const journal = createJournalFile(config.dataDir, now, randomBytes(3).toString("hex"));
  const recorder = await openEvaluation(plan, { flags, session, io: context.io, earlier });
  const evaluationId = recorder?.id;
  try {
    return await runSuite(
      plan,
      hub,
      {
        services: options.services ?? (await composition.checkServices(config, hub)),
        reporters: [
          journalReporter({
            write: journal.write,
            now: now.toISOString(),
            ...(recorder && journaled(recorder)),
          }),
          ...(baseline ? [baseline.reporter] : []),
          verdicts,
          ...(recorder ? [recorder.reporter] : []),
          ...reporters,
          ...opened.reporters,
        ],
        ...(baseline && { conclude: (summary: Summary) => baseline.conclude(summary) }),
        ...(evaluationId !== undefined && { evaluationId }),
        ...(recall && { recall }),
        ...(observers.onRun && { onRun: observers.onRun }),
        ...(flags.record !== undefined && { record: true }),
        ...(flags.concurrency !== undefined && { concurrency: flags.concurrency }),
        ...(flags.failFast && { failFast: true }),
        ...(flags.maxCost !== undefined && { maxCostUsd: flags.maxCost }),
        ...(flags.retryErrors !== undefined && { retries: flags.retryErrors }),
      },
      context.io.signal,
    );
  } finally {
    journal.close();
    await recorder?.close();
    await verdicts.close();
    await observers.close();
  }
}

function selection(flags: TestFlags): Selection {
  const ids = [...(flags.only ?? []), ...(flags.id ?? [])];
  const environment = environmentOf(flags);
  return {
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(flags.tag !== undefined && { tags: flags.tag.join(",") }),
    ...(ids.length > 0 && { ids }),
    ...(flags.agent !== undefined && { agents: flags.agent }),
    ...(flags.runs !== undefined && { runs: flags.runs }),
    ...(flags.timeout !== undefined && { timeoutSeconds: flags.timeout }),
    ...(flags.strict && { strict: true }),
    ...(flags.canary && { canary: true }),
    ...(flags.transports && { transports: flags.transports }),
    ...(flags.shard && { shard: flags.shard }),
  };
}

function reporterFlags({ reporter = [], json }: TestFlags): readonly string[] {
  return json === true ? [...reporter, "json"] : reporter;
}

/** Prepares the plan for the hub: checks the agents that the user typed, gives them their folder, and gives cases their keys. */
export async function readyPlan(
  plan: Plan,
  session: HubSession,
  { flags, cwd }: { flags: TestFlags; cwd: string },
): Promise<Plan> {
  const placed = placeAgents(plan, session, cwd);
  await checkAgents(placed, session, flags);
  return keyCases(placed, (name) => describeAgent(name, session));
}

/** Gives agents that were typed on the command line the current folder. Agents that a suite declares have their own. */
function placeAgents(plan: Plan, session: HubSession, cwd: string): Plan {
  const cases = plan.cases.map((planned) => {
    const { target } = planned.agent;
    if (typeof target !== "string") return planned;
    return { ...planned, agent: { ...planned.agent, target: localAgent(target, session, cwd) } };
  });
  return { ...plan, cases };
}

/** Throws for an agent that is unknown or whose protocol is: a mistake of the command line, found before anything runs. */
async function checkAgents(plan: Plan, session: HubSession, flags: TestFlags): Promise<void> {
  if (flags.rescore === true || flags.replay !== undefined) return;
  const schemes = await session.composition.schemes();
  const targets = new Set(plan.cases.map(({ agent }) => agent.target));
  for (const target of targets) {
    if (typeof target === "string" && !isAddress(target)) await findAgent(target, plan, session);
    else {
      const scheme = schemeOf(typeof target === "string" ? parseAddress(target) : target);
      if (!schemes.includes(scheme)) throw unknownScheme(scheme, schemes);
    }
  }
  const { hub, where, composition } = session;
  if (where === "in-process") await requireTalk(plan, hub, composition.talksOf);
}

/** Suggests an agent of the suites where the hub does not know the name. */
async function findAgent(name: string, { suites }: Plan, { hub }: HubSession): Promise<void> {
  try {
    await hub.agent(name);
  } catch (error) {
    const declared = suites.flatMap(({ agents }) => agents.map((agent) => agent.name));
    const similar = suggest(name, declared);
    if (!ProctorError.is(error) || error.code !== "AGENT_NOT_FOUND" || similar === undefined) throw error;
    const what = error.message.split("\n")[0] ?? "";
    throw new ProctorError("AGENT_NOT_FOUND", `${what}\n   did you mean "${similar}"?`, {
      ...(error.details !== undefined && { details: error.details }),
    });
  }
}

/** Describes the agent behind a name or an address, as far as it is known. */
async function describeAgent(name: string, { hub }: HubSession): Promise<Json> {
  if (isAddress(name)) return name;
  try {
    // Plain data: an agent is a document.
    return (await hub.agent(name)) as unknown as Json;
  } catch (error) {
    if (ProctorError.is(error)) return name;
    throw error;
  }
}
