// How an evaluation compares with the baseline that it was given, and the way to compare it with others.
import type { Evaluation } from "../../api/gen/schema.ts";
import { Command } from "../../components/command.tsx";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CHANGES } from "./case-view.ts";
import { ComparisonSummary } from "./comparison-summary.tsx";

export function BaselineComparison({ evaluation }: { evaluation: Evaluation }) {
  const query = useQuery();
  const { comparison } = evaluation;
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
      <p class="filter-row change-links">
        {CHANGES.map((change) => (
          <a key={change} class="chip" href={query.href({ tab: undefined, change })}>
            {texts.evaluations.changes[change]} <span class="quiet">{comparison.changes[change]}</span>
          </a>
        ))}
      </p>
      <ComparisonSummary comparison={comparison} />
    </>
  );
}
