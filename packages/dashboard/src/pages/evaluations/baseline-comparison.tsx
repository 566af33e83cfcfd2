// How an evaluation compares with the baseline that it was given, and the way to compare it with others.
import type { Evaluation } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { moreOf } from "../../api/more.ts";
import { Command } from "../../components/command.tsx";
import { NotLoaded } from "../../components/notice.tsx";
import { useLoad } from "../../state/use-load.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CHANGES } from "./case-view.ts";
import { ComparedCases } from "./compared-cases.tsx";
import { evaluationState } from "./evaluation-state.ts";
import { ComparisonSummary } from "./comparison-summary.tsx";

export function BaselineComparison({ evaluation }: { evaluation: Evaluation }) {
  const query = useQuery();
  const { comparison } = evaluation;
  const baseline = moreOf("evaluation", evaluation)?.baseline ?? null;
  if (comparison === null) {
    return (
      <div class="empty">
        <h2>{texts.comparison.noBaseline}</h2>
        <p>{texts.comparison.noBaselineText}</p>
        <Command>proctor test suites/ --baseline baseline.json</Command>
      </div>
    );
  }
  return (
    <>
      {baseline === null && (
        <p class="filter-row change-links">
          {CHANGES.map((change) => (
            <a key={change} class="chip" href={query.href({ tab: undefined, change })}>
              {texts.evaluations.changes[change]} <span class="quiet">{comparison.changes[change]}</span>
            </a>
          ))}
        </p>
      )}
      <ComparisonSummary comparison={comparison} />
      {baseline !== null && <CaseByCase before={baseline} after={evaluation.id} />}
    </>
  );
}

/** Shows the comparison case by case: a report keeps its cases, including those that are missing now. */
function CaseByCase({ before, after }: { before: string; after: string }) {
  const query = useQuery();
  const loaded = useLoad(`compare ${before} ${after}`, (signal) =>
    hub.compareEvaluations(before, after, signal),
  );
  if (loaded.value === undefined) return <NotLoaded of={loaded} />;
  const cells = evaluationState(after).cells.value;
  return (
    <ComparedCases cases={loaded.value.cases} after={after} cells={cells} query={query} name="changed" />
  );
}
