// Leads to the comparison with another evaluation, the newest first.
import { useLocation } from "preact-iso";
import { hub } from "../../api/hub.ts";
import type { Evaluation } from "../../api/gen/schema.ts";
import { clock, relative } from "../../components/format.ts";
import { now } from "../../state/now.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { comparisonHref } from "./evaluation-href.ts";

const SHOWN = 50;

export function CompareWith({ evaluation }: { evaluation: Evaluation }) {
  const { route } = useLocation();
  const suite = evaluation.suites.length === 1 ? evaluation.suites[0]?.name : undefined;
  const others = useLoad(`others ${evaluation.id} ${suite ?? ""}`, (signal) =>
    hub.evaluations({ suite, limit: SHOWN }, signal),
  );
  const items = others.value?.items.filter(({ id }) => id !== evaluation.id) ?? [];
  if (items.length === 0) return null;
  return (
    <select
      class="input compare-with"
      aria-label={texts.evaluations.compareWith}
      value=""
      onChange={({ currentTarget }) => {
        const other = items.find(({ id }) => id === currentTarget.value);
        if (other === undefined) return;
        const isOlder = other.started_at <= evaluation.started_at;
        route(isOlder ? comparisonHref(other.id, evaluation.id) : comparisonHref(evaluation.id, other.id));
      }}
    >
      <option value="">{texts.evaluations.compareWith}</option>
      {items.map(({ id, name, started_at, totals }) => (
        <option key={id} value={id}>
          {`${name} · ${relative(started_at, now.peek())}, ${clock(started_at)} · ${totals.passed}/${totals.cases}`}
        </option>
      ))}
    </select>
  );
}
