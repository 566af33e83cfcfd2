// How a run was judged, where it was made for a case of an evaluation.
import type { Run } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { VerdictMark } from "../../components/status.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { Checks } from "../evaluations/checks.tsx";
import { caseHref } from "../evaluations/evaluation-href.ts";

export function Verdicts({ run }: { run: Run }) {
  const { evaluation_id: evaluation, case_id: id } = run.metadata ?? {};
  if (typeof evaluation !== "string" || typeof id !== "string") return null;
  return <Judged run={run} evaluation={evaluation} id={id} />;
}

function Judged({ run, evaluation, id }: { run: Run; evaluation: string; id: string }) {
  const cases = useLoad(`verdicts ${run.id} ${run.ended_at ?? ""}`, (signal) =>
    hub.cases(evaluation, { case: id, limit: 1 }, signal),
  );
  const judged = cases.value?.items[0]?.run_results.find(({ run_id }) => run_id === run.id);
  if (judged === undefined) return null;
  return (
    <section class="story-verdicts">
      <div class="section-head">
        <h2>
          {texts.run.verdicts} <VerdictMark verdict={judged.verdict} />
        </h2>
        <a href={caseHref(evaluation, id)}>{texts.run.case}</a>
      </div>
      <Checks checks={judged.checks} />
    </section>
  );
}
