// How one case compares with the baseline, in the words and figures of `proctor compare`.
import type { EvaluationCase, SideOfCase } from "../../api/gen/schema.ts";
import { cost, duration } from "../../components/format.ts";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";
import { Side, wordsOf } from "./compared-cases.tsx";
import { pValue } from "./comparison-summary.tsx";

export function CaseComparisonView({ found: { comparison } }: { found: EvaluationCase }) {
  const words = texts.comparison;
  if (comparison === null) return <p class="quiet">{words.noBaseline}</p>;
  const { before, after, change, edited, p_score } = comparison;
  const rows: [string, (side: SideOfCase) => string][] = [
    [words.score, ({ score }) => (score === null ? "–" : score.toFixed(1))],
    [words.latency, ({ latency_ms }) => (latency_ms === null ? "–" : duration(latency_ms))],
    [words.cost, ({ cost_usd }) => (cost_usd === null ? "–" : cost(cost_usd))],
  ];
  return (
    <section class="case-comparison">
      <p class="head-line">
        <strong class={`change-${change}`}>{texts.evaluations.changes[change]}</strong>
        <span>{wordsOf(comparison)}</span>
        {edited && <span class="warn-text">{words.edited}</span>}
      </p>
      <Table
        label={texts.evaluations.comparison}
        columns={[{ hidden: words.measure }, words.before, words.after]}
      >
        <tr>
          <th scope="row">{texts.evaluations.passRate}</th>
          <td>
            <Side side={before} />
          </td>
          <td>
            <Side side={after} />
          </td>
        </tr>
        {rows.map(([name, text]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{before === null ? "–" : text(before)}</td>
            <td>{after === null ? "–" : text(after)}</td>
          </tr>
        ))}
      </Table>
      {p_score !== null && (
        <dl class="facts">
          <dt>{words.permutation}</dt>
          <dd>{pValue(p_score)}</dd>
        </dl>
      )}
    </section>
  );
}
