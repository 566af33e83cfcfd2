// One evaluation in the list.
import type { Evaluation } from "../../api/gen/schema.ts";
import { cost, count } from "../../components/format.ts";
import { TallyBar } from "../../components/tally-bar.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";
import { evaluationHref } from "./evaluation-href.ts";
import { EvaluationMark } from "./evaluation-mark.tsx";

interface EvaluationRowProps {
  evaluation: Evaluation;
  current: boolean;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

/** Number of names that a cell shows; the others are counted. */
const SHOWN = 3;

export function EvaluationRow({ evaluation, current, chosen, onChoose }: EvaluationRowProps) {
  const { id, name, totals, agents, comparison, started_at, ended_at, metadata } = evaluation;
  const where = [metadata.git_branch, metadata.git_commit?.slice(0, 8)].filter(Boolean).join(" · ");
  const changes = comparison?.changes;
  return (
    <tr data-current={current || undefined} data-evaluation={id}>
      <td>
        <input
          type="checkbox"
          checked={chosen}
          aria-label={texts.evaluations.choose(name)}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </td>
      <td>
        <EvaluationMark evaluation={evaluation} />
      </td>
      <td class="evaluation-name">
        <a href={evaluationHref(id)} dir="auto">
          {name}
        </a>
        {where !== "" && <div class="quiet one-line">{where}</div>}
      </td>
      <td>
        <EvaluationTally evaluation={evaluation} />
      </td>
      <td>
        {changes !== undefined && changes.regressed > 0 && (
          <span class="bad-text">{texts.evaluations.worse(changes.regressed)}</span>
        )}{" "}
        {changes !== undefined && changes.improved > 0 && (
          <span class="good-text">{texts.evaluations.better(changes.improved)}</span>
        )}
      </td>
      <td class="quiet wide-only evaluation-agents" title={agents.join("\n")}>
        {agents.slice(0, SHOWN).join(", ")}
        {agents.length > SHOWN && ` ${texts.evaluations.others(agents.length - SHOWN)}`}
      </td>
      <td class="quiet">
        <Time at={started_at} />
      </td>
      <td class="number">
        <Duration from={started_at} to={ended_at} />
      </td>
      <td class="number quiet wide-only">{totals.cost_usd > 0 ? cost(totals.cost_usd) : ""}</td>
    </tr>
  );
}

/** Shows the number of cases that passed, and of all, as figures and as a bar. */
export function EvaluationTally({ evaluation }: { evaluation: Evaluation }) {
  const { totals, planned } = evaluation;
  const whole = Math.max(planned.cases, totals.cases);
  const label = texts.evaluations.tally(totals.passed, totals.failed, totals.unevaluated, whole);
  return (
    <span class="tally">
      <span class="tally-figure">
        {count(totals.passed)} <span class="quiet">/ {count(whole)}</span>
      </span>
      <TallyBar
        label={label}
        whole={whole}
        shares={[
          { tone: "bad", value: totals.failed },
          { tone: "warn", value: totals.unevaluated },
          { tone: "good", value: totals.passed },
        ]}
      />
    </span>
  );
}
