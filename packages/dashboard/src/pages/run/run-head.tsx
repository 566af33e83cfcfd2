// The head of a run's page: what was asked, its status, its agent, and what can be done now.
import { pagePath, segment } from "../../api/address.ts";
import { cost, count, shortId } from "../../components/format.ts";
import { Status } from "../../components/status.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";
import { runHref, taskLine } from "../runs/run-row.tsx";
import { forkedFrom } from "./forked-from.ts";
import { RunActions } from "./run-actions.tsx";
import type { RunTabProps } from "./run-page.tsx";

export function RunHead({ run, log }: RunTabProps) {
  const { cost_usd, total_tokens } = run.metrics;
  const from = forkedFrom(run);
  return (
    <header class="run-header">
      <div class="page-head">
        <h1 class="run-title" dir="auto">
          {taskLine(run)}
        </h1>
        <RunActions run={run} log={log} />
      </div>
      <p class="run-facts">
        <Status status={run.status} />
        <a href={pagePath("runs", { agent: run.agent })} class="one-line" title={run.agent}>
          {run.agent}
        </a>
        <Time at={run.created_at} />
        <Duration from={run.started_at} to={run.ended_at} />
        {cost_usd !== undefined && <span>{cost(cost_usd)}</span>}
        {total_tokens !== undefined && <span>{texts.run.tokens(count(total_tokens))}</span>}
        <code title={run.id}>{shortId(run.id)}</code>
      </p>
      <p class="run-facts quiet">
        {run.conversation_id !== run.id && (
          <a href={pagePath(`conversations/${segment(run.conversation_id)}`)}>{texts.run.conversation}</a>
        )}
        {from !== undefined && (
          <>
            <a href={runHref(from.runId)}>{texts.fork.from}</a>
            <a href={pagePath("compare", { a: from.runId, b: run.id })}>{texts.run.compare}</a>
          </>
        )}
        {run.follows !== null && run.follows !== from?.runId && (
          <a href={runHref(run.follows)}>{texts.run.follows}</a>
        )}
        {run.parent_id !== null && <a href={runHref(run.parent_id)}>{texts.run.parent}</a>}
        {run.retry_of !== null && <a href={runHref(run.retry_of)}>{texts.run.retryOf(run.attempt)}</a>}
        {run.retried_as !== null && <a href={runHref(run.retried_as)}>{texts.run.retriedAs}</a>}
      </p>
    </header>
  );
}
