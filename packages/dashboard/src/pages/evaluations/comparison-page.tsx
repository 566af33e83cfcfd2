// Two evaluations side by side: what got worse, with the words and figures of `proctor compare`, case by case.
import { useRoute } from "preact-iso";
import { hub } from "../../api/hub.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { ComparedCases } from "./compared-cases.tsx";
import { ComparisonSummary } from "./comparison-summary.tsx";
import { comparisonHref, evaluationHref } from "./evaluation-href.ts";
import { evaluationState } from "./evaluation-state.ts";
import "./evaluations.css";

export function ComparisonPage() {
  usePageTitle(texts.comparison.title);
  const { params } = useRoute();
  const before = params["id"] ?? "";
  const after = params["other"] ?? "";
  const query = useQuery();
  const loaded = useLoad(`compare ${before} ${after}`, (signal) =>
    hub.compareEvaluations(before, after, signal),
  );
  const state = evaluationState(after);
  const comparison = loaded.value;
  if (comparison === undefined) {
    return loaded.error === undefined ? <Loading /> : <Failed error={loaded.error} retry={loaded.reload} />;
  }
  return (
    <div class="comparison-page">
      <div class="page-head">
        <h1>{texts.comparison.title}</h1>
        <div class="actions">
          <a class="button plain" href={evaluationHref(before)}>
            {texts.comparison.openBefore}
          </a>
          <a class="button plain" href={evaluationHref(after)}>
            {texts.comparison.openAfter}
          </a>
          <a class="button" href={comparisonHref(after, before)}>
            {texts.comparison.swap}
          </a>
        </div>
      </div>
      <ComparisonSummary comparison={comparison} />
      <ComparedCases cases={comparison.cases} after={after} cells={state.cells.value} query={query} />
    </div>
  );
}
