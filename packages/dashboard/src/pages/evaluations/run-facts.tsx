// The figures of one run of a case, and what was unusual about it.
import type { EvaluationRun } from "../../api/gen/schema.ts";
import { moreOf } from "../../api/more.ts";
import { cost, count, duration } from "../../components/format.ts";
import { Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";

export function RunFacts({ run }: { run: EvaluationRun }) {
  const more = moreOf("run", run);
  if (more === undefined) return null;
  const { score, total_tokens, cost_usd, run_id, source } = run;
  const { ran_at, notes, isolated, retried, duration_ms, total_steps } = more;
  const names = texts.evaluations.facts;
  const facts: [string, string | undefined][] = [
    [names.score, score === null ? undefined : score.toFixed(1)],
    [names.took, duration(duration_ms)],
    [names.tokens, total_tokens === null ? undefined : count(total_tokens)],
    [names.steps, total_steps === undefined ? undefined : count(total_steps)],
    [names.cost, cost_usd === null ? undefined : cost(cost_usd)],
    [names.source, source === "run" ? undefined : source],
    [names.isolation, isolated === false ? texts.evaluations.notIsolated : undefined],
    [names.notes, notes?.join("; ")],
    [names.retried, retried === undefined || retried.length === 0 ? undefined : retried.join(", ")],
    [names.id, run_id ?? undefined],
  ];
  return (
    <dl class="run-figures">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
      {ran_at !== undefined && (
        <div>
          <dt>{names.started}</dt>
          <dd>
            <Time at={ran_at} />
          </dd>
        </div>
      )}
    </dl>
  );
}
