// The runs of a case, and the story of the one that is chosen: what was asked, what was answered, how it was judged.
import type { EvaluationCase, EvaluationRun } from "../../api/gen/schema.ts";
import { cost, count, duration } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { RunStory } from "./run-story.tsx";

export function CaseRuns({ found, query }: { found: EvaluationCase; query: QueryState }) {
  const { run_results, runs_omitted } = found;
  const worst =
    run_results.find(({ verdict }) => verdict === "fail") ??
    run_results.find(({ verdict }) => verdict !== "pass");
  const chosen =
    run_results.find(({ number }) => String(number) === query.get("run")) ?? worst ?? run_results[0];
  if (chosen === undefined) return <p class="quiet">{texts.evaluations.noRuns}</p>;
  return (
    <div class="case-runs">
      {run_results.length > 1 && (
        <nav class="run-choice" aria-label={texts.evaluations.runsOfCase}>
          {run_results.map((run) => (
            <RunLink
              key={run.number}
              run={run}
              href={query.href({ run: String(run.number) })}
              current={run === chosen}
            />
          ))}
          {runs_omitted > 0 && <span class="quiet">{texts.evaluations.omitted(count(runs_omitted))}</span>}
        </nav>
      )}
      <RunStory key={chosen.number} run={chosen} />
    </div>
  );
}

function RunLink({ run, href, current }: { run: EvaluationRun; href: string; current: boolean }) {
  const { number, verdict, latency_ms, cost_usd } = run;
  return (
    <a class="run-link" href={href} aria-current={current ? "true" : undefined}>
      <VerdictMark verdict={verdict} bare />
      <span>{texts.evaluations.run(number)}</span>
      <span class="quiet">{latency_ms === null ? "" : duration(latency_ms)}</span>
      <span class="quiet">{cost_usd === null ? "" : cost(cost_usd)}</span>
    </a>
  );
}
