// All goals, newest first. Those that are running follow their runs.
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Goal, GoalList } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { FilterChips } from "../../components/filter-chips.tsx";
import { cost, count } from "../../components/format.ts";
import { NotLoaded } from "../../components/notice.tsx";
import { Status } from "../../components/status.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { soonAfterEvents } from "../../state/soon-after-events.ts";
import { useKeys } from "../../state/keys.ts";
import { useChosenTwo } from "../../state/use-chosen-two.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { goalDiffHref, goalHref } from "./goal-href.ts";
import { GoalProgress } from "./goal-progress.tsx";
import "./goals.css";

const PAGE = 50;
const STATUSES = ["running", "completed", "partial", "failed", "cancelled"] as const;

export function GoalsPage() {
  usePageTitle(texts.goals.title);
  const query = useQuery();
  const { route } = useLocation();
  const status = query.get("status");
  const pages = Math.max(1, Number(query.get("pages")) || 1);
  const loaded = useLoad(`goals ${status} ${pages}`, (signal) => readGoals(status, pages, signal));
  useEffect(() => soonAfterEvents(loaded.reload), [status, pages]);
  const [current, setCurrent] = useState(-1);
  const { chosen, choose } = useChosenTwo();
  const items = loaded.value?.items ?? [];
  const move = (by: number) => () =>
    setCurrent((before) => Math.min(items.length - 1, Math.max(0, before + by)));
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
    { key: "Enter", does: texts.keys.open, act: () => items[current] && route(goalHref(items[current].id)) },
  ]);
  const [later, earlier] = items.filter(({ id }) => chosen.includes(id));
  return (
    <>
      <div class="page-head">
        <h1>{texts.goals.title}</h1>
        <div class="filter-row">
          <FilterChips query={query} name="status" values={STATUSES} words={texts.status} />
        </div>
        <div class="actions">
          {chosen.length > 0 && (
            <Button
              kind="main"
              disabled={later === undefined || earlier === undefined}
              title={texts.goals.chooseTwo}
              onPress={() => route(goalDiffHref(earlier?.id ?? "", later?.id ?? ""))}
            >
              {texts.goals.diff}
            </Button>
          )}
        </div>
      </div>
      {(loaded.value === undefined || loaded.error !== undefined) && <NotLoaded of={loaded} />}
      {loaded.value !== undefined &&
        items.length === 0 &&
        (status === "" ? <NoGoal /> : <p class="quiet">{texts.goals.noneFit}</p>)}
      {items.length > 0 && (
        <Table label={texts.goals.title} kind="goals" columns={COLUMNS}>
          {items.map((goal, index) => (
            <Row
              key={goal.id}
              goal={goal}
              current={index === current}
              chosen={chosen.includes(goal.id)}
              onChoose={(isChosen) => choose(goal.id, isChosen)}
            />
          ))}
        </Table>
      )}
      {loaded.value?.next_cursor != null && (
        <p class="more">
          <Button onPress={() => query.set({ pages: String(pages + 1) }, "replace")}>{texts.more}</Button>
        </p>
      )}
    </>
  );
}

async function readGoals(status: string, pages: number, signal: AbortSignal): Promise<GoalList> {
  const items: Goal[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages && (page === 0 || cursor !== undefined); page++) {
    const next = await hub.goals({ status, cursor, limit: PAGE }, signal);
    items.push(...next.items);
    cursor = next.next_cursor ?? undefined;
  }
  return { items, next_cursor: cursor ?? null };
}

const { columns } = texts.goals;
const COLUMNS: readonly Column[] = [
  { hidden: texts.keys.select },
  columns.status,
  columns.goal,
  columns.tasks,
  [columns.started, "not-on-phone"],
  [columns.took, "number not-on-phone"],
  [columns.runs, "number wide-only"],
  [columns.cost, "number wide-only"],
];

interface RowProps {
  goal: Goal;
  current: boolean;
  chosen: boolean;
  onChoose: (chosen: boolean) => void;
}

function Row({ goal, current, chosen, onChoose }: RowProps) {
  const { id, spent, questions } = goal;
  const line = goalLine(goal);
  return (
    <tr data-current={current || undefined} data-goal={id}>
      <td>
        <input
          type="checkbox"
          checked={chosen}
          aria-label={texts.evaluations.choose(line)}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </td>
      <td class="sign-on-phone">
        <Status status={goal.status} />
      </td>
      <td class="goal-title">
        <a href={goalHref(id)} dir="auto">
          {line}
        </a>
        {questions.length > 0 && <div class="warn-text">{texts.goals.waits(questions.length)}</div>}
      </td>
      <td>
        <GoalProgress goal={goal} />
      </td>
      <td class="quiet not-on-phone">
        <Time at={goal.created_at} />
      </td>
      <td class="number not-on-phone">
        <Duration from={goal.started_at} to={goal.ended_at} />
      </td>
      <td class="number quiet wide-only">{count(spent.runs)}</td>
      <td class="number quiet wide-only">{spent.cost_usd > 0 ? cost(spent.cost_usd) : ""}</td>
    </tr>
  );
}

/** Returns the first line of what was asked. */
export function goalLine({ goal }: Pick<Goal, "goal">): string {
  return goal.trim().split("\n", 1)[0]?.slice(0, 200) ?? "";
}

function NoGoal() {
  const { emptyTitle, emptyText } = texts.goals;
  return <Empty title={emptyTitle} text={emptyText} command='proctor goal "A short report on bees"' />;
}
