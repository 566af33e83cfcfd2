// Checks with their reasons: those that did not pass first.
import type { EvaluationCheck } from "../../api/gen/schema.ts";
import { moreOf, type MoreOfCheck } from "../../api/more.ts";
import { Difference } from "../../components/difference.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { VerdictMark } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

const ORDER = { fail: 0, unevaluated: 1, pass: 2 } as const;

export function Checks({ checks }: { checks: readonly EvaluationCheck[] }) {
  if (checks.length === 0) return <p class="quiet">{texts.evaluations.noChecks}</p>;
  const sorted = checks.toSorted((a, b) => ORDER[a.verdict] - ORDER[b.verdict]);
  return (
    <ul class="checks">
      {sorted.map((check, index) => (
        <Check key={index} check={check} />
      ))}
    </ul>
  );
}

function Check({ check }: { check: EvaluationCheck }) {
  const { type, verdict, reason, critical, turn } = check;
  const more = moreOf("check", check);
  return (
    <li class={`check tone-${verdict}`}>
      <VerdictMark verdict={verdict} bare />
      <div>
        <span class="check-type">
          <code>{type}</code>
          {critical && <span class="tag">{texts.evaluations.critical}</span>}
          {turn !== null && <span class="tag">{texts.evaluations.turn(turn)}</span>}
          {more !== undefined && notesOf(more, verdict).map((note) => <span class="tag">{note}</span>)}
        </span>
        {reason !== "" && <div class="said check-reason">{reason}</div>}
        {more !== undefined && <More more={more} />}
      </div>
    </li>
  );
}

function notesOf({ weight, score }: MoreOfCheck, verdict: EvaluationCheck["verdict"]): string[] {
  const isPartial = score !== undefined && score !== (verdict === "pass" ? 1 : 0);
  const short = (value: number): string => String(Number(value.toPrecision(3)));
  return [
    ...(weight === 0 ? [texts.evaluations.informs] : []),
    ...(weight === 0 || weight === 1 ? [] : [texts.evaluations.weight(short(weight))]),
    ...(isPartial ? [texts.evaluations.scoreOf(short(score))] : []),
  ];
}

function More({ more: { file, line, col, details, difference } }: { more: MoreOfCheck }) {
  return (
    <>
      <p class="check-place quiet">
        <code>{`${file}:${line}:${col}`}</code>
      </p>
      {difference !== undefined && <Difference difference={difference} />}
      {details !== undefined && Object.keys(details).length > 0 && (
        <details class="check-details">
          <summary>{texts.evaluations.details}</summary>
          <JsonView value={details} />
        </details>
      )}
    </>
  );
}
