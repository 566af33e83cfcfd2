// ACTS as a list of rules: every test is one, tried over every interface of A2A 1.0 that the card names, unless the test says otherwise.
import type { AgentSpec } from "../../../core/agent.ts";
import {
  ruleOf,
  type Conformance,
  type ConformanceOptions,
  type RuleResult,
} from "../../../conformance/conformance.ts";
import { tryRules, type AdvisedRule } from "../../../conformance/try-rules.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import { end } from "../../../conformance/demand.ts";
import { broken, KEPT, noOccasion, overAll, type A2aFinding } from "../conform/finding.ts";
import { isUnreachable, openTrial, subjectOf } from "../conform/open-trial.ts";
import { describeTranscript, type Transcript } from "../conform/transcript.ts";
import { disputeOf } from "./disputed.ts";
import { BINDING_OF, passOf, type ActsPass } from "./preconditions.ts";
import type { ActsSuites, LoadedSuite, LoadedTest } from "./read-acts.ts";
import { headRecord, testRecord } from "./record.ts";
import { runTest, type TestOptions, type TestRun } from "./run-test.ts";
import type { Transport } from "./schema.ts";
import type { Verdict } from "./verdict.ts";

export interface ActsOptions {
  /** The pass whose tests are tried; every pass when absent. */
  profile?: ActsPass;
}

interface ActsRule extends AdvisedRule {
  test: LoadedTest;
  suite: LoadedSuite;
}

/** How many tests are tried at the same time. */
const AT_ONCE = 4;

export function createActsConformance(acts: ActsSuites, { profile }: ActsOptions = {}): Conformance {
  const rules = acts.suites.flatMap((suite) => suite.tests.map((test) => actsRule(test, suite)));
  const ofPass = rules.filter(({ test }) => profile === undefined || passOf(test) === profile);

  async function* check(agent: AgentSpec, options: ConformanceOptions): AsyncGenerator<RuleResult> {
    const { trial, spec } = openTrial(agent, options);
    const { environment = {}, only } = options;
    const tested: TestOptions = { trial, environment, ...(acts.behaviors && { behaviors: acts.behaviors }) };
    try {
      const { card, discovery, endpoints } = await trial.found();
      const spoken = endpoints.filter(isSpoken);
      options.describeSubject?.({ ...subjectOf(spoken), record: headRecord(acts, card) });
      const isWanted = ({ id, test }: ActsRule): boolean =>
        only?.includes(id) !== false && (spoken.length === 0 || spoken.some((each) => isOver(test, each)));
      yield* tryRules<ActsRule, Transcript>({
        agent: spec,
        options,
        rules: ofPass.filter(isWanted),
        async tryRule(rule) {
          if (discovery.ok) return tryTest(rule, tested, profile);
          const finding = noOccasion("the agent has no card that can be read");
          return isUnreachable(discovery) ? { ...finding, unreachable: true } : finding;
        },
        describe: describeTranscript,
        atOnce: AT_ONCE,
        isAlone: ({ test }) => looksAtAll(test),
      });
    } finally {
      await trial.close();
    }
  }

  return { name: "ACTS", versions: [acts.specVersion], rules: ofPass.map(ruleOf), check };
}

function actsRule(test: LoadedTest, suite: LoadedSuite): ActsRule {
  const disputed = disputeOf(test);
  return {
    id: `acts.${test.id}`,
    title: test.name,
    level: test.level,
    section: sectionOf(test) ?? suite.name,
    ...(disputed !== undefined && { disputed }),
    advice: `the test is at ${test.place}`,
    test,
    suite,
  };
}

/** Returns `3.1.1` for `specification.md#3.1.1` and `specification.md#311-send-message`; otherwise the reference as it is. */
function sectionOf({ spec_ref: reference }: LoadedTest): string | undefined {
  const [, plain] = /#(?:section-)?(\d+(?:\.\d+)+)$/.exec(reference ?? "") ?? [];
  const [, first, second, third] = /#(\d)(\d)(\d*)-/.exec(reference ?? "") ?? [];
  if (plain !== undefined) return plain;
  if (first === undefined) return reference;
  return [first, second, third].filter((number) => number !== "").join(".");
}

const isSpoken = ({ version }: Endpoint): boolean => version === "1.0";

/** A raw request, which is sent as it is written, has no form in gRPC. */
function isOver({ transport, steps }: LoadedTest, { binding }: Endpoint): boolean {
  if (binding === "GRPC" && steps.some(({ kind }) => kind === "raw")) return false;
  return transport?.some((each) => BINDING_OF[each] === binding) ?? true;
}

/** Returns whether a test sees what others do at the same time. */
function looksAtAll({ steps }: LoadedTest): boolean {
  return steps.some((step) => step.kind === "operation" && step.operation === "list_tasks");
}

async function tryTest(
  { test, suite }: ActsRule,
  options: TestOptions,
  profile: ActsPass | undefined,
): Promise<A2aFinding> {
  const runs = new Map<Transport, TestRun>();
  let before: Promise<unknown> = Promise.resolve();
  const inTurn = async (endpoint: Endpoint): Promise<TestRun> => {
    const run = looksAtAll(test)
      ? before.then(() => runTest(test, endpoint, options))
      : runTest(test, endpoint, options);
    before = run;
    return run;
  };
  const check = overAll(
    (endpoint) => isSpoken(endpoint) && isOver(test, endpoint),
    async (endpoint) => {
      const run = await inTurn(endpoint);
      runs.set(transportOf(endpoint), run);
      end(findingOf(run));
    },
  );
  const finding = await check(options.trial);
  return { ...finding, record: testRecord(test, suite, runs, profile) };
}

function transportOf({ binding }: Endpoint): Transport {
  return ({ JSONRPC: "jsonrpc", "HTTP+JSON": "rest", GRPC: "grpc" } as const)[binding];
}

function findingOf({ verdict, stepId }: TestRun): A2aFinding {
  switch (verdict.result) {
    case "pass":
      return KEPT;
    case "skip":
    case "error":
      return noOccasion(verdict.message ?? verdict.result, verdict.transcript);
    case "fail":
      return broken(reasonOf(verdict, stepId), verdict.transcript, {
        ...(verdict.expected !== undefined && { expected: verdict.expected }),
        ...(verdict.actual !== undefined && { got: verdict.actual }),
      });
  }
}

function reasonOf({ message = "it failed" }: Verdict, stepId: string | undefined): string {
  return stepId === undefined ? message : `step ${stepId}: ${message}`;
}
