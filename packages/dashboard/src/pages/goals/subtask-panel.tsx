// What is known of the chosen sub-task: its attempts with who was chosen and why, what reviewers said, and its output.
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Goal, Plan, Subtask } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Failed } from "../../components/notice.tsx";
import { Said } from "../../components/said.tsx";
import { ShapeMark, Status } from "../../components/status.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { RerunDialog } from "./rerun-dialog.tsx";
import { RouteView } from "./route-view.tsx";
import { SubtaskMark } from "./subtask-mark.tsx";

interface SubtaskPanelProps {
  goal: Goal;
  plan: Plan | null;
  subtask: Subtask;
}

export function SubtaskPanel({ goal, plan, subtask }: SubtaskPanelProps) {
  const [rerunning, setRerunning] = useState(false);
  const { key, title, status, reason, attempts, depends_on, output_run_id, task } = subtask;
  const planned = plan?.tasks.find(({ id }) => id === task);
  return (
    <section class="subtask" aria-label={title ?? key}>
      <div class="page-head">
        <h2 dir="auto">{title ?? key}</h2>
        <SubtaskMark status={status} />
        <div class="actions">
          {goal.ended_at !== null && (
            <Button onPress={() => setRerunning(true)}>{texts.goals.rerunFrom}</Button>
          )}
        </div>
      </div>
      {reason !== null && <p class="notice said">{reason}</p>}
      <dl class="facts">
        {planned?.capability !== undefined && (
          <>
            <dt>{texts.goals.capability}</dt>
            <dd>{planned.capability}</dd>
          </>
        )}
        {depends_on.length > 0 && (
          <>
            <dt>{texts.goals.waitsFor}</dt>
            <dd>{depends_on.join(", ")}</dd>
          </>
        )}
      </dl>
      {planned?.description !== undefined && <Said text={planned.description} />}
      {planned?.input !== undefined && (
        <div>
          <h3>{texts.goals.input}</h3>
          <JsonView value={planned.input} />
        </div>
      )}
      <ol class="attempts">
        {attempts.map((attempt) => (
          <Attempt key={attempt.run_id} attempt={attempt} />
        ))}
      </ol>
      {attempts.length === 0 && <p class="quiet">{texts.goals.noAttempt}</p>}
      {output_run_id !== null && <Output runId={output_run_id} />}
      {rerunning && <RerunDialog goal={goal} plan={plan} task={task} onClose={() => setRerunning(false)} />}
    </section>
  );
}

function Attempt({ attempt }: { attempt: Subtask["attempts"][number] }) {
  const { number, run_id, agent, status, failure, route, reviews } = attempt;
  return (
    <li class="attempt">
      <p class="head-line">
        <strong>{texts.goals.attempt(number)}</strong>
        <Status status={status ?? "running"} />
        <span>{agent}</span>
        <a href={runHref(run_id)}>{texts.evaluations.openRun}</a>
      </p>
      {failure && (
        <p class="notice bad said">
          {failure.message} <code>{failure.code}</code>
        </p>
      )}
      {route && <RouteView route={route} />}
      {reviews.map((review, index) => (
        <div key={index} class="review">
          <p class="head-line">
            <ReviewMark verdict={review.verdict} />
            <span class="quiet">{texts.goals.reviewBy[review.by]}</span>
            {review.run_id !== undefined && <a href={runHref(review.run_id)}>{texts.evaluations.openRun}</a>}
          </p>
          {review.trouble !== undefined && <p class="said bad-text">{review.trouble}</p>}
          {typeof review.feedback === "string" && <p class="said">{review.feedback}</p>}
          {review.feedback !== undefined && typeof review.feedback !== "string" && (
            <JsonView value={review.feedback} />
          )}
        </div>
      ))}
    </li>
  );
}

const REVIEWS = {
  approve: { tone: "good", shape: "check" },
  retry: { tone: "warn", shape: "half" },
  reject: { tone: "bad", shape: "cross" },
  escalate: { tone: "warn", shape: "diamond" },
} as const;

function ReviewMark({ verdict }: { verdict: keyof typeof REVIEWS | null }) {
  const look = verdict === null ? ({ tone: "calm", shape: "dots" } as const) : REVIEWS[verdict];
  return <ShapeMark {...look}>{texts.goals.verdicts[verdict ?? "none"]}</ShapeMark>;
}

function Output({ runId }: { runId: string }) {
  const run = useLoad(`output ${runId}`, (signal) => hub.run(runId, signal));
  if (run.error !== undefined) return <Failed error={run.error} retry={run.reload} />;
  const results = run.value?.artifacts.filter(({ data }) => data !== undefined) ?? [];
  return (
    <div>
      <h3>{texts.goals.output}</h3>
      {results.map(({ id, data }) => (
        <JsonView key={id} value={data} />
      ))}
      {run.value !== undefined && results.length === 0 && <SaidLast runId={runId} />}
    </div>
  );
}

/** Shows the last message, which is the answer of an agent without an artifact. */
function SaidLast({ runId }: { runId: string }) {
  const messages = useLoad(`last ${runId}`, (signal) => hub.messages(runId, signal));
  const last = messages.value?.items.findLast(({ message }) => message.role === "agent");
  if (last === undefined) return <p class="quiet">{texts.goals.noOutput}</p>;
  return (
    <>
      {last.message.parts.map((part, index) =>
        part.kind === "text" ? (
          <Said key={index} text={part.text} />
        ) : (
          <JsonView key={index} value={part.kind === "data" ? part.data : part} />
        ),
      )}
    </>
  );
}
