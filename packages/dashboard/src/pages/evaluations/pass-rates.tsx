// Pass rates of cases with their intervals, the lowest first: what is certainly bad, and what is only uncertain.
import { useState } from "preact/hooks";
import { count, percent } from "../../components/format.ts";
import { Interval } from "../../components/interval.tsx";
import { texts } from "../../texts.ts";
import type { CaseCell } from "./evaluation-state.ts";

/** Number of cases that are shown before the reader asks for more. */
const FIRST = 30;

export function PassRates({
  cells,
  hrefOf,
}: {
  cells: readonly CaseCell[];
  hrefOf: (cell: CaseCell) => string;
}) {
  const [shown, setShown] = useState(FIRST);
  const rated = cells.filter(({ pass_rate }) => pass_rate !== null);
  if (rated.length === 0) return null;
  const sorted = rated.toSorted((a, b) => rank(a) - rank(b));
  const isShared = new Set(cells.map(({ agent }) => agent)).size > 1;
  return (
    <section>
      <h2>{texts.plots.rates}</h2>
      <ol class="pass-rates">
        {sorted.slice(0, shown).map((cell) => (
          <li key={cell.id}>
            <span class="pass-rate-name">
              <a href={hrefOf(cell)} dir="auto">
                {cell.name.trim() || cell.test_id}
              </a>{" "}
              {isShared && <span class="quiet">{cell.agent}</span>}
            </span>
            {cell.pass_rate !== null && (
              <span class={`side-of-case tone-${cell.verdict}`}>
                <Interval {...cell.pass_rate} />
                <strong>{percent(cell.pass_rate.value, 1)}</strong>
                <span class="quiet">
                  {texts.plots.range(percent(cell.pass_rate.low, 1), percent(cell.pass_rate.high, 1))}
                </span>
                <span class="quiet">{texts.evaluations.runs(count(cell.runs))}</span>
              </span>
            )}
          </li>
        ))}
      </ol>
      {sorted.length > shown && (
        <button type="button" class="button" onClick={() => setShown(shown + FIRST * 10)}>
          {texts.more}
        </button>
      )}
    </section>
  );
}

/** Returns the rank of a case: by its rate, then by how low that may be. */
function rank({ pass_rate }: CaseCell): number {
  return (pass_rate?.value ?? 1) + (pass_rate?.low ?? 1) / 1000;
}
