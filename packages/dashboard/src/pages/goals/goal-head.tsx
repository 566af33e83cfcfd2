// What was asked, how far it is, what it has used of its budget, and what can be done with it.
import { useState } from "preact/hooks";
import { pagePath } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import type { Goal, Plan } from "../../api/gen/schema.ts";
import { AnswerForm } from "../../components/answer-form.tsx";
import { Button } from "../../components/button.tsx";
import { cost, count, duration } from "../../components/format.ts";
import { Said } from "../../components/said.tsx";
import { Status } from "../../components/status.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { now } from "../../state/now.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { goalDiffHref, goalHref } from "./goal-href.ts";
import { GoalProgress } from "./goal-progress.tsx";
import { goalLine } from "./goals-page.tsx";
import { RerunDialog } from "./rerun-dialog.tsx";

interface GoalHeadProps {
  goal: Goal;
  plan: Plan | null;
  onChange: () => Promise<void>;
}

export function GoalHead({ goal, plan, onChange }: GoalHeadProps) {
  const [rerunning, setRerunning] = useState(false);
  const { id, status, failure, questions, rerun_of } = goal;
  const line = goalLine(goal);
  const act = (verb: "pause" | "resume" | "cancel") => async (): Promise<void> => {
    await hub.control(id, verb);
    await onChange();
  };
  const hasEnded = goal.ended_at !== null;
  return (
    <header class="goal-head">
      <div class="page-head">
        <h1 dir="auto">{line}</h1>
        <Status status={status} />
        <div class="actions">
          {!hasEnded && status !== "paused" && <Button onPress={act("pause")}>{texts.goals.pause}</Button>}
          {status === "paused" && (
            <Button kind="main" onPress={act("resume")}>
              {texts.goals.resume}
            </Button>
          )}
          {!hasEnded && (
            <Button kind="danger" onPress={act("cancel")}>
              {texts.goals.cancel}
            </Button>
          )}
          {hasEnded && (goal.counts["failed"] ?? 0) > 0 && (
            <Button onPress={() => setRerunning(true)}>{texts.goals.rerunFailed}</Button>
          )}
          <a class="button plain" href={runHref(id)}>
            {texts.goals.log}
          </a>
        </div>
      </div>
      {line !== goal.goal.trim() && <Said text={goal.goal} />}
      <p class="head-line quiet">
        <Time at={goal.created_at} />
        <span>
          {texts.evaluations.took} <Duration from={goal.started_at} to={goal.ended_at} />
        </span>
        {goal.plan !== null && <span>{texts.goals.source[goal.plan.source]}</span>}
        {goal.plan?.run_id !== undefined && <a href={runHref(goal.plan.run_id)}>{texts.goals.planner}</a>}
        <a href={pagePath("runs", { root: id })}>{texts.evaluations.runs(count(goal.spent.runs))}</a>
        {rerun_of !== null && (
          <>
            <a href={goalHref(rerun_of)}>{texts.goals.rerunOf}</a>
            <a href={goalDiffHref(rerun_of, id)}>{texts.goals.diffToBefore}</a>
          </>
        )}
      </p>
      <div class="goal-figures">
        <GoalProgress goal={goal} />
        <Budget goal={goal} />
      </div>
      {failure !== null && (
        <p class="notice bad said">
          {failure.message} <code>{failure.code}</code>
        </p>
      )}
      {questions.length > 0 && <h2>{texts.goals.waits(questions.length)}</h2>}
      {questions.map((question) => (
        <div key={question.id} class="goal-question">
          <AnswerForm runId={id} question={question} onAnswered={() => void onChange()} />
        </div>
      ))}
      {rerunning && <RerunDialog goal={goal} plan={plan} onClose={() => setRerunning(false)} />}
    </header>
  );
}

/** Shows what was used of what was allowed; without a limit, what was used. */
function Budget({ goal: { budget, spent, started_at, ended_at } }: { goal: Goal }) {
  const until = ended_at === null ? now.value : Date.parse(ended_at);
  const seconds = started_at === null ? 0 : (until - Date.parse(started_at)) / 1000;
  const time = (value: number): string => duration(value * 1000);
  return (
    <>
      <Meter name={texts.goals.budget.runs} used={spent.runs} limit={budget.runs} show={count} />
      <Meter name={texts.goals.budget.tokens} used={spent.total_tokens} limit={budget.tokens} show={count} />
      <Meter name={texts.goals.budget.cost} used={spent.cost_usd} limit={budget.cost_usd} show={cost} />
      {budget.seconds !== undefined && (
        <Meter name={texts.goals.budget.time} used={seconds} limit={budget.seconds} show={time} />
      )}
    </>
  );
}

interface MeterProps {
  name: string;
  used: number;
  limit: number | undefined;
  show: (value: number) => string;
}

function Meter({ name, used, limit, show }: MeterProps) {
  if (limit === undefined && used === 0) return null;
  return (
    <span class="meter">
      <span>
        <span class="quiet">{name}</span> {show(used)}
        {limit !== undefined && <span class="quiet"> / {show(limit)}</span>}
      </span>
      {limit !== undefined && (
        <meter
          min={0}
          max={limit}
          high={limit * 0.8}
          optimum={0}
          value={Math.min(used, limit)}
          aria-label={name}
        />
      )}
    </span>
  );
}
