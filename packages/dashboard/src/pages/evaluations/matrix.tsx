// Tests × agents. Only the rows that are seen are in the document, so that thousands scroll like ten.
import { Interval } from "../../components/interval.tsx";
import { cost, count, duration, percent } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { useNarrow } from "../../state/narrow.ts";
import { texts } from "../../texts.ts";
import type { CaseView, TestRow } from "./case-view.ts";
import type { CaseCell } from "./evaluation-state.ts";

interface MatrixProps {
  view: CaseView;
  hrefOf: (cell: CaseCell) => string;
  /** Index of the row that is selected with the keys. */
  current: number;
}

const ROW = 48;
/** Height in pixels of a test's name on a phone, where it stands above its cells, one line each. */
const NARROW_NAME = 34;
const NARROW_CELL = 30;

export function Matrix({ view, hrefOf, current }: MatrixProps) {
  const { rows, agents } = view;
  const narrow = useNarrow();
  const height = narrow ? NARROW_NAME + NARROW_CELL * agents.length + 6 : ROW;
  const columns = `minmax(180px, 1.4fr) repeat(${agents.length}, minmax(132px, 1fr))`;
  return (
    <div
      class="matrix"
      role="table"
      aria-label={texts.evaluations.matrix}
      aria-rowcount={rows.length + 1}
      style={{ "--matrix-columns": columns, "--matrix-width": `${180 + agents.length * 132}px` }}
    >
      <div class="matrix-inner" role="presentation">
        <div role="rowgroup" class="matrix-head">
          <div class="matrix-row" role="row">
            <span role="columnheader">{texts.evaluations.test}</span>
            {agents.map((agent) => (
              <span key={agent} role="columnheader" class="one-line" title={agent}>
                {agent}
              </span>
            ))}
          </div>
        </div>
        <VirtualRows
          key={height}
          class="matrix-rows"
          role="rowgroup"
          label={texts.evaluations.matrix}
          count={rows.length}
          height={height}
          fixed
          name="matrix"
          show={current}
          keyOf={(index) => rows[index]?.key ?? index}
          row={(index) => {
            const row = rows[index];
            return (
              row && (
                <Row
                  row={row}
                  index={index}
                  agents={agents}
                  narrow={narrow}
                  hrefOf={hrefOf}
                  current={index === current}
                />
              )
            );
          }}
        />
      </div>
    </div>
  );
}

interface RowProps {
  row: TestRow;
  index: number;
  agents: readonly string[];
  narrow: boolean;
  hrefOf: MatrixProps["hrefOf"];
  current: boolean;
}

function Row({ row, index, agents, narrow, hrefOf, current }: RowProps) {
  return (
    <div class="matrix-row" role="row" aria-rowindex={index + 2} data-current={current || undefined}>
      <span role="rowheader" class="matrix-test">
        <span class="one-line" dir="auto" title={row.name}>
          {row.name}
        </span>
        <span class="one-line quiet matrix-suite">
          {row.suite} / {row.test_id}
        </span>
      </span>
      {agents.map((agent) => {
        const cell = row.cells.get(agent);
        return (
          <span key={agent} role="cell" class="matrix-cell">
            {narrow && <span class="one-line quiet matrix-agent">{agent}</span>}
            {cell === undefined ? <span class="quiet">–</span> : <Cell cell={cell} href={hrefOf(cell)} />}
          </span>
        );
      })}
    </div>
  );
}

function Cell({ cell, href }: { cell: CaseCell; href: string }) {
  const { verdict, runs, pass_rate, flakiness, change, name, agent } = cell;
  const isFlaky = flakiness !== null && flakiness > 0;
  return (
    <a class={`cell-link tone-${verdict}`} href={href}>
      <span class="hidden-text">{texts.evaluations.openCase(name, agent)}</span>
      <VerdictMark verdict={verdict} bare />
      {pass_rate === null || runs < 2 ? (
        <span>{texts.verdicts[verdict]}</span>
      ) : (
        <>
          <span class="cell-rate">{percent(pass_rate.value, 1)}</span>
          <Interval {...pass_rate} />
        </>
      )}
      <span class="cell-more quiet">
        {change !== null && change !== "unchanged" && (
          <span class={`change-${change}`}>{texts.evaluations.changes[change]}</span>
        )}
        {isFlaky && (
          <span title={texts.evaluations.flakyWhy}>{texts.evaluations.flaky(percent(flakiness, 1))}</span>
        )}
        <span title={texts.evaluations.runs(count(runs))}>
          {cell.cost_usd === null ? duration(cell.duration_ms) : cost(cell.cost_usd)}
        </span>
      </span>
    </a>
  );
}
