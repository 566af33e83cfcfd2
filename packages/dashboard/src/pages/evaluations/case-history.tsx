// How a case came out over time: one point for each evaluation, the newest first.
import { hub } from "../../api/hub.ts";
import type { CasePoint, EvaluationCase } from "../../api/gen/schema.ts";
import { cost, duration, percent } from "../../components/format.ts";
import { Interval } from "../../components/interval.tsx";
import { NotLoaded } from "../../components/notice.tsx";
import { VerdictMark } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { caseHref } from "./evaluation-href.ts";

const SHOWN = 100;

export function CaseHistory({ found }: { found: EvaluationCase }) {
  const history = useLoad(`history ${found.id}`, (signal) =>
    hub.caseHistory(found.id, { limit: SHOWN }, signal),
  );
  if (history.value === undefined) return <NotLoaded of={history} />;
  const points = history.value.items;
  const { result, started, cost: price, took } = texts.evaluations.columns;
  return (
    <section>
      <Strip points={points} current={found.evaluation_id} />
      <Table
        label={texts.evaluations.history}
        columns={[
          result,
          texts.evaluations.passRate,
          texts.evaluations.one,
          started,
          [took, "number"],
          [price, "number"],
        ]}
      >
        {points.map((point, index) => (
          <tr
            key={point.evaluation_id}
            data-current={point.evaluation_id === found.evaluation_id || undefined}
          >
            <td>
              <VerdictMark verdict={point.verdict} />
            </td>
            <td class={`tone-${point.verdict}`}>
              {point.pass_rate !== null && (
                <span class="side-of-case">
                  {percent(point.pass_rate.value, 1)} <Interval {...point.pass_rate} />
                </span>
              )}
            </td>
            <td>
              <a href={caseHref(point.evaluation_id, point.id, { tab: "history" })}>
                {point.evaluation_name}
              </a>
              {point.git_commit !== null && <code class="quiet"> {point.git_commit.slice(0, 8)}</code>}
              {isEdited(points, index) && <span class="tag">{texts.comparison.edited}</span>}
            </td>
            <td class="quiet">
              <Time at={point.settled_at} />
            </td>
            <td class="number">{duration(point.duration_ms)}</td>
            <td class="number quiet">{point.cost_usd === null ? "" : cost(point.cost_usd)}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Whether the case was edited just before this point. */
function isEdited(points: readonly CasePoint[], index: number): boolean {
  const before = points[index + 1];
  return before !== undefined && before.key !== points[index]?.key;
}

/** Draws the points from left to right as time goes, each as high as its pass rate. */
function Strip({ points, current }: { points: readonly CasePoint[]; current: string }) {
  if (points.length < 2) return null;
  return (
    <div class="history-strip" role="img" aria-label={texts.evaluations.historyOf(points.length)}>
      {points.toReversed().map(({ evaluation_id, verdict, pass_rate }) => (
        <span
          key={evaluation_id}
          class={`tone-${verdict}`}
          data-current={evaluation_id === current || undefined}
          style={{ height: `${4 + (pass_rate?.value ?? (verdict === "pass" ? 1 : 0)) * 32}px` }}
        />
      ))}
    </div>
  );
}
