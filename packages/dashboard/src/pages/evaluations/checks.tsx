// Checks with their reasons: those that did not pass first.
import type { EvaluationCheck } from "../../api/gen/schema.ts";
import { VerdictMark } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

const ORDER = { fail: 0, unevaluated: 1, pass: 2 } as const;

export function Checks({ checks }: { checks: readonly EvaluationCheck[] }) {
  if (checks.length === 0) return <p class="quiet">{texts.evaluations.noChecks}</p>;
  const sorted = checks.toSorted((a, b) => ORDER[a.verdict] - ORDER[b.verdict]);
  return (
    <ul class="checks">
      {sorted.map(({ type, verdict, reason, critical, turn }, index) => (
        <li key={index} class={`check tone-${verdict}`}>
          <VerdictMark verdict={verdict} bare />
          <div>
            <span class="check-type">
              <code>{type}</code>
              {critical && <span class="tag">{texts.evaluations.critical}</span>}
              {turn !== null && <span class="tag">{texts.evaluations.turn(turn)}</span>}
            </span>
            {reason !== "" && <div class="said check-reason">{reason}</div>}
          </div>
        </li>
      ))}
    </ul>
  );
}
