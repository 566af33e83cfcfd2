// Several agents at one test, as `mode: comparison` asks for it: who did best, by which measure.
import type { Plan } from "./plan.ts";
import type { CaseResult } from "./result.ts";
import type { ContestRule, SuiteTest } from "./suite.ts";

/** Result of a contest; reports contain this document unchanged. */
export type Contest = {
  suite: string;
  test_id: string;
  metrics: ("quality" | "speed" | "cost")[];
  /** The agents, best first. */
  agents: { agent: string; quality: number | null; speed_ms: number | null; cost_usd: number | null }[];
  /** The label of the best agent; null when they are equal, or when no winner was asked for. */
  winner: string | null;
  reason: string;
};

interface Contests {
  caseEnded(result: CaseResult): void;
  results(): Contest[];
}

type Entrant = Contest["agents"][number];

export function createContests({ cases }: Plan): Contests {
  const entrants = new Map<SuiteTest, { suite: string; agents: Entrant[] }>();
  for (const { test, suite } of cases) {
    if (test.contest) entrants.set(test, { suite: suite.name, agents: [] });
  }
  return {
    caseEnded({ case: { test, agent }, statistics }) {
      entrants.get(test)?.agents.push({
        agent: agent.label,
        quality: statistics.score?.mean ?? null,
        speed_ms: statistics.latency_ms?.p50 ?? null,
        cost_usd: statistics.cost_usd?.mean ?? null,
      });
    },
    results: () =>
      [...entrants].flatMap(([test, { suite, agents }]) =>
        test.contest && agents.length > 0 ? [decide(test.id, suite, agents, test.contest)] : [],
      ),
  };
}

/** The first metric in which agents differ decides. An agent that was not measured comes last. */
function decide(testId: string, suite: string, agents: readonly Entrant[], rule: ContestRule): Contest {
  const { metrics, determineWinner } = rule;
  const ranked = agents.toSorted((a, b) => {
    for (const metric of metrics) {
      const difference = worth(b, metric) - worth(a, metric);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return 0;
  });
  const [first, second] = ranked;
  const metric = first && second && metrics.find((one) => worth(first, one) !== worth(second, one));
  const won = determineWinner && first !== undefined && (second === undefined || metric !== undefined);
  const reason =
    second === undefined ? "only one agent" : metric === undefined ? "equal" : `better ${metric}`;
  return { suite, test_id: testId, metrics, agents: ranked, winner: won ? first.agent : null, reason };
}

/** The value of a metric as a number of which more is better. */
function worth(
  { quality, speed_ms: speed, cost_usd: cost }: Entrant,
  metric: ContestRule["metrics"][number],
): number {
  if (metric === "quality") return quality ?? -Infinity;
  return -((metric === "speed" ? speed : cost) ?? Infinity);
}
