// One run in a list.
import { pagePath, segment } from "../../api/address.ts";
import type { Run } from "../../api/gen/schema.ts";
import { cost, count } from "../../components/format.ts";
import { Status } from "../../components/status.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";

interface RunRowProps {
  run: Run;
  current: boolean;
  selected: boolean;
  onSelect: (selected: boolean) => void;
}

export function RunRow({ run, current, selected, onSelect }: RunRowProps) {
  const task = taskLine(run);
  const { cost_usd, total_tokens } = run.metrics;
  return (
    <div class="run-row" role="row" data-current={current || undefined} data-run={run.id}>
      <span role="cell" class="run-check">
        <input
          type="checkbox"
          checked={selected}
          aria-label={texts.runs.select(task)}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      </span>
      <span role="cell" class="run-status">
        <Status status={run.status} />
      </span>
      <span role="cell" class="run-task one-line">
        <a href={runHref(run.id)} dir="auto">
          {task}
        </a>
      </span>
      <span role="cell" class="run-agent one-line quiet" title={run.agent}>
        {run.agent}
      </span>
      <span role="cell" class="run-time quiet">
        <Time at={run.created_at} />
      </span>
      <span role="cell" class="run-took number">
        <Duration from={run.started_at} to={run.ended_at} />
      </span>
      <span role="cell" class="run-cost number quiet">
        {cost_usd === undefined ? "" : cost(cost_usd)}
      </span>
      <span role="cell" class="run-tokens number quiet">
        {total_tokens === undefined ? "" : count(total_tokens)}
      </span>
    </div>
  );
}

export function runHref(id: string): string {
  return pagePath(`runs/${segment(id)}`);
}

/** Returns the beginning of the first line of what was asked. */
export function taskLine(run: Pick<Run, "task">): string {
  const line = run.task.description.trim().split("\n", 1)[0]?.slice(0, 300) ?? "";
  return line === "" ? texts.runs.noTask : line;
}
