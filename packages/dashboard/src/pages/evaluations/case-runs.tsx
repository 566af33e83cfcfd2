// The runs of a case, and the story of the one that is chosen: what was asked, what was answered, how it was judged.
import { useLocation } from "preact-iso";
import { pagePath } from "../../api/address.ts";
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
      <RunStory key={chosen.number} run={chosen}>
        <CompareRuns run={chosen} others={run_results} />
      </RunStory>
    </div>
  );
}

/** Leads to two runs of the case side by side. */
function CompareRuns({ run, others }: { run: EvaluationRun; others: readonly EvaluationRun[] }) {
  const { route } = useLocation();
  const choices = others.filter((other) => other !== run && other.run_id !== null);
  if (run.run_id === null || choices.length === 0) return null;
  return (
    <select
      class="input compare-runs"
      aria-label={texts.evaluations.compareRun}
      value=""
      onChange={({ currentTarget }) => route(pagePath("compare", { a: run.run_id, b: currentTarget.value }))}
    >
      <option value="">{texts.evaluations.chooseRun}</option>
      {choices.map(({ number, run_id, verdict }) => (
        <option key={number} value={run_id ?? ""}>
          {texts.evaluations.against(number, texts.verdicts[verdict])}
        </option>
      ))}
    </select>
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
