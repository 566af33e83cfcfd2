// Cases one below the other: how each came out and why, with the figures of its runs. Columns that no case fills are left out; their heads order the list.
import { Interval } from "../../components/interval.tsx";
import { cost, count, duration, percent } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { VirtualRows } from "../../components/virtual-rows.tsx";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import type { CaseCell } from "./evaluation-state.ts";
import { columnOf, COLUMNS, DESCENDING, VALUES, type Column } from "./order-cells.ts";

interface CaseListProps {
  cells: readonly CaseCell[];
  /** All cases, filtered or not, which decide what columns there are. */
  all: readonly CaseCell[];
  query: QueryState;
  hrefOf: (cell: CaseCell) => string;
  /** Index of the row that is selected with the keys. */
  current: number;
}

const ROW = 58;
const WIDTHS: Record<Column, string> = {
  outcome: "124px",
  name: "minmax(220px, 1fr)",
  agent: "minmax(80px, 160px)",
  rate: "160px",
  p50: "72px",
  p95: "72px",
  tokens: "72px",
  cost: "80px",
  score: "60px",
};
const NUMBERS: ReadonlySet<Column> = new Set<Column>(["p50", "p95", "tokens", "cost", "score"]);

export function CaseList({ cells, all, query, hrefOf, current }: CaseListProps) {
  const columns = COLUMNS.filter((column) => isFilled(column, all));
  return (
    <div
      class="case-list"
      role="table"
      aria-label={texts.evaluations.casesTab}
      aria-rowcount={cells.length + 1}
      style={{ "--list-columns": columns.map((column) => WIDTHS[column]).join(" ") }}
    >
      <div role="rowgroup" class="list-head">
        <div class="list-row" role="row">
          {columns.map((column) => (
            <Head key={column} column={column} query={query} />
          ))}
        </div>
      </div>
      <VirtualRows
        class="list-rows"
        role="rowgroup"
        label={texts.evaluations.casesTab}
        count={cells.length}
        height={ROW}
        show={current}
        name="cases"
        keyOf={(index) => cells[index]?.id ?? index}
        row={(index) => {
          const cell = cells[index];
          return (
            cell && (
              <Row
                cell={cell}
                index={index}
                columns={columns}
                href={hrefOf(cell)}
                current={index === current}
              />
            )
          );
        }}
      />
    </div>
  );
}

/** Whether the column is shown: a single agent needs none, and for a single run the 95th percentile is the median. */
function isFilled(column: Column, all: readonly CaseCell[]): boolean {
  if (column === "outcome" || column === "name") return true;
  if (column === "agent") return new Set(all.map(({ agent }) => agent)).size > 1;
  if (column === "p95") return all.some(({ more, runs }) => more?.p95 !== undefined && runs > 1);
  return all.some((cell) => VALUES[column](cell) !== undefined);
}

function Head({ column, query }: { column: Column; query: QueryState }) {
  const sorted = columnOf(query.get("order"));
  const isSorted = sorted?.column === column;
  const [first, second] = DESCENDING.has(column) ? ["-", ""] : ["", "-"];
  const next = !isSorted
    ? `by-${first}${column}`
    : sorted.descending === (first === "-")
      ? `by-${second}${column}`
      : "";
  const order = !isSorted ? "none" : sorted.descending ? "descending" : "ascending";
  return (
    <span role="columnheader" aria-sort={order} class={NUMBERS.has(column) ? "number" : ""}>
      <button
        type="button"
        class="sort"
        title={texts.evaluations.listWhy[column]}
        onClick={() => query.set({ order: next })}
      >
        {texts.evaluations.list[column]}
        <span aria-hidden="true">{!isSorted ? "" : sorted.descending ? " ↓" : " ↑"}</span>
      </button>
    </span>
  );
}

interface RowProps {
  cell: CaseCell;
  index: number;
  columns: readonly Column[];
  href: string;
  current: boolean;
}

function Row({ cell, index, columns, href, current }: RowProps) {
  return (
    <div
      class="list-row"
      role="row"
      aria-rowindex={index + 2}
      data-current={current || undefined}
      data-verdict={cell.verdict}
    >
      {columns.map((column) => (
        <span
          key={column}
          role={column === "name" ? "rowheader" : "cell"}
          class={`list-${column} ${NUMBERS.has(column) ? "number" : ""}`}
          data-label={texts.evaluations.list[column]}
        >
          {column === "name" ? <Name cell={cell} href={href} /> : <Figure cell={cell} column={column} />}
        </span>
      ))}
    </div>
  );
}

function Name({ cell, href }: { cell: CaseCell; href: string }) {
  const { name, test_id, suite, change, more } = cell;
  return (
    <>
      <a class="case-link" href={href} dir="auto">
        {name.trim() || test_id.trim() || texts.evaluations.noName}
      </a>
      <span class="list-notes quiet">
        <span>
          {suite} / {test_id}
        </span>
        {more?.gate === "inconclusive" && <span>{texts.evaluations.gateOpen}</span>}
        {change !== null && change !== "unchanged" && (
          <span class={`change-${change}`}>{texts.evaluations.changes[change]}</span>
        )}
        {more?.tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </span>
      {more?.reason !== undefined && <span class="list-why said">{more.reason}</span>}
    </>
  );
}

function Figure({ cell, column }: { cell: CaseCell; column: Exclude<Column, "name"> }) {
  const { verdict, pass_rate, more, runs, agent } = cell;
  switch (column) {
    case "outcome":
      return <VerdictMark verdict={verdict} />;
    case "agent":
      return (
        <span class="one-line" title={agent}>
          {agent}
        </span>
      );
    case "rate":
      return pass_rate === null ? (
        <span class="quiet">–</span>
      ) : (
        <span class={`side-of-case tone-${verdict}`}>
          <span class="cell-rate">{percent(pass_rate.value, 1)}</span>
          <Interval {...pass_rate} />
          {more !== undefined && <small class="quiet">{`${more.passed}/${runs}`}</small>}
        </span>
      );
    case "p50":
    case "p95":
      return <>{more?.[column] === undefined ? "–" : duration(more[column])}</>;
    case "tokens":
      return <>{more?.tokens === undefined ? "–" : count(Math.round(more.tokens))}</>;
    case "cost":
      return <>{more?.cost === undefined ? "–" : cost(more.cost)}</>;
    case "score":
      return <>{more?.score === undefined ? "–" : more.score.toFixed(1)}</>;
  }
}
