// What a comparison found, in its own words, and the figures behind them.
import type { Comparison } from "../../api/gen/schema.ts";
import { cost, duration } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

type Summary = Omit<Comparison, "cases">;

export function ComparisonSummary({ comparison }: { comparison: Summary }) {
  const { before, after, overall, findings, measures = [], outcome, alpha } = comparison;
  const words = texts.comparison;
  return (
    <section class="comparison-summary">
      <p class="head-line">
        <VerdictMark verdict={outcome} />
        <span dir="auto">{words.sides(before.name, after.name)}</span>
      </p>
      <ul class="findings">
        {findings.map((finding) => (
          <li key={finding} class="said">
            {finding}
          </li>
        ))}
      </ul>
      <dl class="facts">
        <dt>{words.both}</dt>
        <dd>{overall.cases}</dd>
        <dt>{words.onlyBefore}</dt>
        <dd>{overall.only_before}</dd>
        <dt>{words.onlyAfter}</dt>
        <dd>{overall.only_after}</dd>
        <dt>{words.mcnemar}</dt>
        <dd>{words.overall(pValue(overall.p_worse), pValue(overall.p_better), alpha)}</dd>
        {overall.score_difference !== null && (
          <>
            <dt>{words.score}</dt>
            <dd>{words.scoreDifference(signed(overall.score_difference), pValue(overall.p_score))}</dd>
          </>
        )}
        <dt>{words.detectable}</dt>
        <dd>{words.flips(overall.detectable_flips)}</dd>
      </dl>
      {measures.length > 0 && (
        <table class="measures">
          <thead>
            <tr>
              <th>{words.measure}</th>
              <th class="number">{words.before}</th>
              <th class="number">{words.after}</th>
              <th class="number">{words.pAdjusted}</th>
            </tr>
          </thead>
          <tbody>
            {measures.map(({ name, before: was, after: is, p_adjusted }) => (
              <tr key={name}>
                <td>{words.measures[name]}</td>
                <td class="number">{SHOW[name](was)}</td>
                <td class="number">{SHOW[name](is)}</td>
                <td class="number">{pValue(p_adjusted)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const SHOW: Record<NonNullable<Comparison["measures"]>[number]["name"], (value: number) => string> = {
  score: (value) => value.toFixed(2),
  latency_ms: duration,
  cost_usd: cost,
};

/** Returns a text such as `p = 0.031` or `p < 0.001`. */
export function pValue(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
}

/** Returns a number with its sign, such as `+1.2` or `−2.41`. */
function signed(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${String(Number(Math.abs(value).toPrecision(3)))}`;
}
