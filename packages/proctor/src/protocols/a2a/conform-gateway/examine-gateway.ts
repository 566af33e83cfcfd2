// Examines a gateway of A2A, being both of its ends: the client that asks it, and the agent that it forwards to.
import type { AgentSpec } from "../../../core/agent.ts";
import type { EnvironmentProcess } from "../../../core/ports/environments.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { tryRules } from "../../../conformance/try-rules.ts";
import { findingOf } from "../../../conformance/demand.ts";
import { named, noOccasion, worst, type A2aFinding } from "../conform/finding.ts";
import { openTrial, subjectOf } from "../conform/open-trial.ts";
import { hasOccasion } from "../conform/rule.ts";
import { describeTranscript, type Transcript } from "../conform/transcript.ts";
import { findDoors, type Doors } from "./find-doors.ts";
import type { GatewayRule } from "./gateway-rule.ts";
import { GATEWAY_RULES } from "./rules.ts";
import { createStage } from "./stage.ts";
import { startGateway, type StartedGateway } from "./start-gateway.ts";
import type { Upstream } from "./upstream.ts";

export interface GatewayConformanceOptions {
  /** Returns the command line that tries one rule again: most answers only exist while the upstream runs. */
  repeat?: (ruleId: string) => string;
  /** Serves the upstream. */
  openUpstream: () => Promise<Upstream>;
  /** Starts the gateway in front of an upstream; absent where it already runs. */
  start?: (upstreamUrl: string, environment: Readonly<Record<string, string>>) => EnvironmentProcess;
}

/** Rules that are tried at the same time. */
const AT_ONCE = 4;

export function createGatewayConformance(options: GatewayConformanceOptions): Conformance {
  return {
    name: "A2A gateway",
    rules: GATEWAY_RULES.map(ruleOf),
    check: (gateway, trying) => check(gateway, trying, options),
  };
}

async function* check(
  gateway: AgentSpec,
  options: ConformanceOptions,
  { openUpstream, start, repeat }: GatewayConformanceOptions,
): AsyncGenerator<RuleResult> {
  const { trial, spec } = openTrial({ ...gateway, transport: "http" }, options);
  const upstream = await openUpstream();
  let started: StartedGateway | undefined;
  try {
    if (start) {
      const { url } = trial.settings;
      const { timeoutMs, signal, environment = {} } = options;
      const begin = (): EnvironmentProcess => start(upstream.url, environment);
      started = await startGateway({ url, start: begin, timeoutMs, signal });
    }
    const doors = await findDoors(trial, upstream, started?.trouble);
    options.describeSubject?.(subjectOf(doors.all));
    yield* tryRules<GatewayRule, Transcript>({
      agent: spec,
      options,
      rules: rulesFor(doors, options.only),
      tryRule: async (rule) => {
        const finding = await tryRule(rule, doors);
        // Anyone may ask for a card.
        const isRepeated = repeat !== undefined && finding.reproduce !== undefined && rule.needsCard !== true;
        return isRepeated ? { ...finding, reproduce: repeat(rule.id) } : finding;
      },
      describe: describeTranscript,
      atOnce: AT_ONCE,
      isAlone: ({ alone }) => alone === true,
    });
  } finally {
    await started?.end();
    await trial.close();
    await upstream.close();
  }
}

/** The rule that fails when nothing can be tried, whichever rules were asked for: what was not tried is not a pass. */
const FIRST_OF_ALL = "gateway.message.sent";

/** Leaves out rules for things that the gateway does not offer. */
function rulesFor({ stage, all, trouble }: Doors, only: ConformanceOptions["only"]): GatewayRule[] {
  const { card } = stage.found;
  if (trouble !== undefined) return GATEWAY_RULES.filter(({ id }) => id === FIRST_OF_ALL);
  const asked = GATEWAY_RULES.filter(({ id }) => only?.includes(id) !== false);
  return asked.filter((rule) =>
    card === undefined ? rule.needsCard !== true && rule.when === undefined : hasOccasion(rule, card, all),
  );
}

async function tryRule(rule: GatewayRule, doors: Doors): Promise<A2aFinding> {
  const { all, stage, trouble, answers } = doors;
  if (trouble !== undefined) return { ...noOccasion(trouble), unreachable: true };
  const fitting = all.filter(({ version }) => rule.version === undefined || version === rule.version);
  const findings: A2aFinding[] = [];
  for (const door of rule.first === true ? fitting.slice(0, 1) : fitting) {
    const finding =
      rule.anyway === true || answers(door)
        ? await findingOf<Transcript>(() => rule.examine(createStage({ ...stage, door })))
        : noOccasion("a plain message is not answered: see gateway.message.sent");
    findings.push(named(finding, door, rule.first !== true && fitting.length > 1));
    if (finding.outcome === "fail") break;
  }
  return worst(findings);
}
