// The result of an evaluation at a glance: its verdict, how far it is, where and when it ran, what it cost.
import type { ComponentChildren } from "preact";
import { pagePath } from "../../api/address.ts";
import type { Evaluation } from "../../api/gen/schema.ts";
import { moreOf, type MoreOfEvaluation } from "../../api/more.ts";
import { HubLink } from "../../components/hub-link.tsx";
import { Interval } from "../../components/interval.tsx";
import { cost, count, percent } from "../../components/format.ts";
import { TallyBar } from "../../components/tally-bar.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";
import { EvaluationMark } from "./evaluation-mark.tsx";

export function EvaluationHead({
  evaluation,
  children,
}: {
  evaluation: Evaluation;
  children?: ComponentChildren;
}) {
  const { name, totals, planned, metadata, started_at, ended_at, stopped, comparison, status, resumed } =
    evaluation;
  const whole = Math.max(planned.cases, totals.cases);
  const words = texts.evaluations;
  const more = moreOf("evaluation", evaluation);
  const label = words.tally(totals.passed, totals.failed, totals.unevaluated, whole);
  return (
    <header class="evaluation-head">
      <div class="page-head">
        <h1 dir="auto">{name}</h1>
        <EvaluationMark evaluation={evaluation} />
        <div class="actions">{children}</div>
      </div>
      <TallyBar
        label={label}
        whole={whole}
        shares={[
          { tone: "bad", value: totals.failed },
          { tone: "warn", value: totals.unevaluated },
          { tone: "good", value: totals.passed },
        ]}
      />
      <p class="head-line" role="status">
        <strong>{words.passed(count(totals.passed), count(whole))}</strong>
        {totals.failed > 0 && <span class="bad-text">{words.failed(count(totals.failed))}</span>}
        {totals.unevaluated > 0 && (
          <span class="warn-text">{words.unevaluated(count(totals.unevaluated))}</span>
        )}
        {more !== undefined && more.not_run > 0 && <span>{words.notRun(count(more.not_run))}</span>}
        {status === "running" && <span>{words.toCome(count(Math.max(whole - totals.cases, 0)))}</span>}
        {comparison !== null && comparison.changes.regressed > 0 && (
          <span class="bad-text">{words.worse(comparison.changes.regressed)}</span>
        )}
        {comparison !== null && comparison.changes.improved > 0 && (
          <span class="good-text">{words.better(comparison.changes.improved)}</span>
        )}
      </p>
      <p class="head-line quiet">
        <span>
          <Time at={started_at} />
        </span>
        <span>
          {words.took} <Duration from={started_at} to={ended_at} />
        </span>
        <HubLink href={pagePath("runs", { evaluation: evaluation.id })}>
          {words.runs(count(totals.runs))}
        </HubLink>
        {totals.cost_usd > 0 && <span>{cost(totals.cost_usd)}</span>}
        {totals.total_tokens > 0 && <span>{words.tokens(count(totals.total_tokens))}</span>}
        {metadata.git_branch !== null && <span>{metadata.git_branch}</span>}
        {metadata.git_commit !== null && (
          <code title={metadata.git_commit}>{metadata.git_commit.slice(0, 8)}</code>
        )}
        {metadata.host !== null && <span>{words.on(metadata.host)}</span>}
        {totals.skipped > 0 && <span>{words.skipped(count(totals.skipped))}</span>}
        {resumed > 0 && <span>{words.resumed(resumed)}</span>}
      </p>
      {stopped !== null && <p class="notice warn">{words.stopped[stopped]}</p>}
      {more !== undefined && <MoreOfHead more={more} totals={totals} />}
    </header>
  );
}

/** Shows what a report adds: how sure the pass rate of the runs is, and what was not done now. */
function MoreOfHead({ more, totals }: { more: MoreOfEvaluation; totals: Evaluation["totals"] }) {
  const { pass_rate, sources, skipped, differential } = more;
  const words = texts.evaluations;
  const elsewhere = (["resumed", "cached", "rescored", "replayed"] as const).filter(
    (source) => sources[source] > 0,
  );
  const sum = elsewhere.reduce((all, source) => all + sources[source], 0);
  const parts = elsewhere.map((source) => `${count(sources[source])} ${source}`).join(", ");
  return (
    <>
      {pass_rate !== null && (
        <p class="head-line">
          <strong>{words.runsPassed(percent(pass_rate.value, 1))}</strong>
          <Interval {...pass_rate} />
          <span class="quiet">
            {words.wilson(
              percent(pass_rate.low, 1),
              percent(pass_rate.high, 1),
              percent(pass_rate.confidence, 1),
            )}
          </span>
        </p>
      )}
      {sum > 0 && <p class="quiet">{words.notNow(count(sum), count(totals.runs), parts)}</p>}
      {skipped !== null && <p class="notice said">{words.skippedHere(skipped)}</p>}
      {differential && <p class="notice">{words.differential}</p>}
    </>
  );
}
