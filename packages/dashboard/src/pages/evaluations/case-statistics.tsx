// What the runs of one case say together: its gate, the chances of several runs, and how its figures are spread.
import type { CaseStatistics as Statistics, Distribution, Gate, MoreOfCase } from "../../api/more.ts";
import { cost, count, duration, percent } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";

const words = texts.evaluations;

const SPREAD: readonly [keyof typeof words.spreadOf, (value: number) => string][] = [
  ["latency_ms", duration],
  ["score", (value) => value.toFixed(1)],
  ["total_tokens", (value) => count(Math.round(value))],
  ["cost_usd", cost],
  ["total_steps", (value) => String(Number(value.toPrecision(3)))],
];

export function CaseStatistics({ more: { statistics, gate } }: { more: MoreOfCase }) {
  return (
    <>
      {gate !== undefined && <GateLine gate={gate} />}
      {statistics.runs > 1 && (
        <details class="case-statistics">
          <summary>{words.statistics}</summary>
          <div class="statistics-tables">
            <Chances statistics={statistics} />
            <Spread statistics={statistics} />
          </div>
        </details>
      )}
    </>
  );
}

function GateLine({ gate: { decision, message, at_least, confidence, runs, more_runs } }: { gate: Gate }) {
  const rule = words.gate.rule(percent(at_least, 1), percent(confidence, 1), words.runs(count(runs)));
  const needed = more_runs == null ? "" : `; ${words.gate.needed(words.runs(count(more_runs)))}`;
  return (
    <p class="head-line gate">
      <VerdictMark verdict={decision === "inconclusive" ? "unevaluated" : decision} bare />
      <strong>{words.gate[decision]}</strong>
      <span class="said">{message}</span>
      <span class="quiet">{`(${rule}${needed})`}</span>
    </p>
  );
}

function Chances({ statistics: { pass_at_k, pass_hat_k } }: { statistics: Statistics }) {
  const ks = [...new Set([...Object.keys(pass_at_k), ...Object.keys(pass_hat_k)])].sort(
    (a, b) => Number(a) - Number(b),
  );
  if (ks.length < 2) return null;
  const rows: [string, Record<string, number>][] = [
    [words.passAtK, pass_at_k],
    [words.passHatK, pass_hat_k],
  ];
  return (
    <Table label={words.chances} captioned columns={["k", ...ks.map((k) => [k, "number"] as const)]}>
      {rows.map(([name, values]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {ks.map((k) => (
            <td key={k} class="number">
              {values[k] === undefined ? "–" : percent(values[k], 1)}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function Spread({ statistics }: { statistics: Statistics }) {
  const rows = SPREAD.flatMap(([key, text]) => {
    const values = statistics[key];
    return values === undefined || values.count < 2 ? [] : [{ key, values, text }];
  });
  if (rows.length === 0) return null;
  return (
    <Table
      label={words.spread}
      captioned
      columns={[
        { hidden: words.spread },
        ...Object.values(words.spreadColumns).map((name) => [name, "number"] as const),
      ]}
    >
      {rows.map(({ key, values, text }) => (
        <tr key={key}>
          <th scope="row">{words.spreadOf[key]}</th>
          {[values.min, values.p50, values.p95, values.max].map((value, at) => (
            <td key={at} class="number">
              {text(value)}
            </td>
          ))}
          <td class="number">{meanOf(values, text)}</td>
        </tr>
      ))}
    </Table>
  );
}

function meanOf({ mean, interval }: Distribution, text: (value: number) => string): string {
  return interval === undefined
    ? text(mean)
    : `${text(mean)} [${texts.plots.range(text(interval.low), text(interval.high))}]`;
}
