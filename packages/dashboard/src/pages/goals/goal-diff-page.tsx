// Two executions side by side: what differs, task by task.
import { useRoute } from "preact-iso";
import { hub } from "../../api/hub.ts";
import type { GoalDiff } from "../../api/gen/schema.ts";
import { cost, count, duration } from "../../components/format.ts";
import { JsonView } from "../../components/json-view.tsx";
import { NotLoaded } from "../../components/notice.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { texts } from "../../texts.ts";
import { goalDiffHref, goalHref } from "./goal-href.ts";
import { SubtaskMark } from "./subtask-mark.tsx";
import "./goals.css";

type TaskDiff = GoalDiff["tasks"][number];

export function GoalDiffPage() {
  usePageTitle(texts.goals.diffTitle);
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const other = params["other"] ?? "";
  const diff = useLoad(`goal diff ${id} ${other}`, (signal) => hub.goalDiff(id, other, signal));
  if (diff.value === undefined) return <NotLoaded of={diff} />;
  return (
    <>
      <div class="page-head">
        <h1>{texts.goals.diffTitle}</h1>
        <span class="quiet">{texts.goals.equal(diff.value.equal)}</span>
        <div class="actions">
          <a class="button plain" href={goalHref(id)}>
            {texts.comparison.openBefore}
          </a>
          <a class="button plain" href={goalHref(other)}>
            {texts.comparison.openAfter}
          </a>
          <a class="button" href={goalDiffHref(other, id)}>
            {texts.comparison.swap}
          </a>
        </div>
      </div>
      {diff.value.tasks.length === 0 && <p class="quiet">{texts.goals.same}</p>}
      {diff.value.tasks.map((task) => (
        <section key={task.key} class="task-diff">
          <h2>{task.key}</h2>
          <div class="two-sides">
            <Side task={task} side={0} />
            <Side task={task} side={1} />
          </div>
        </section>
      ))}
    </>
  );
}

function Side({ task, side }: { task: TaskDiff; side: 0 | 1 }) {
  const status = task.status[side] ?? null;
  const seconds = task.seconds[side] ?? null;
  const price = task.cost_usd[side] ?? null;
  const tokens = task.tokens[side] ?? null;
  const output = task.output[side];
  return (
    <div class="diff-side">
      <h3>{side === 0 ? texts.comparison.before : texts.comparison.after}</h3>
      <p class="head-line">
        {status === null ? <span class="quiet">{texts.goals.absent}</span> : <SubtaskMark status={status} />}
        <span>{task.agent[side] ?? ""}</span>
        <span class="quiet">{texts.goals.attempts(task.attempts[side] ?? 0)}</span>
        {seconds !== null && <span class="quiet">{duration(seconds * 1000)}</span>}
        {price !== null && <span class="quiet">{cost(price)}</span>}
        {tokens !== null && <span class="quiet">{texts.evaluations.tokens(count(tokens))}</span>}
      </p>
      {output !== undefined && output !== null && <JsonView value={output} />}
    </div>
  );
}
