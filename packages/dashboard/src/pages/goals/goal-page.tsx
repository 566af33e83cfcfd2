// One goal: its plan as it is carried out, as a picture or as a tree, and everything about the sub-task that is chosen.
import { useRoute } from "preact-iso";
import { useEffect, useMemo } from "preact/hooks";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { Failed, NotLoaded } from "../../components/notice.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useKeys } from "../../state/keys.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { GoalHead } from "./goal-head.tsx";
import { openGoal } from "./goal-state.ts";
import { goalLine } from "./goals-page.tsx";
import { PlanGraph } from "./plan-graph.tsx";
import { LARGEST_PICTURE } from "./plan-layout.ts";
import { planNodes, treeRows } from "./plan-shape.ts";
import { PlanTree } from "./plan-tree.tsx";
import { SubtaskPanel } from "./subtask-panel.tsx";
import "./goals.css";

export function GoalPage() {
  const id = useRoute().params["id"] ?? "";
  const query = useQuery();
  const state = useMemo(() => openGoal(id), [id, generation.value, token.value]);
  useEffect(() => () => state.close(), [state]);
  const goal = state.goal.value;
  const plan = state.plan.value;
  const subtasks = state.subtasks.value;
  usePageTitle(goal === undefined ? texts.goals.title : goalLine(goal));
  const nodes = useMemo(() => planNodes(subtasks, plan), [subtasks, plan]);
  const rows = useMemo(() => treeRows(subtasks, plan), [subtasks, plan]);
  const tooLarge = nodes.length > LARGEST_PICTURE;
  const tab = query.get("view") === "tree" || tooLarge ? "tree" : "graph";
  const chosen = subtasks.find(({ key }) => key === query.get("task"));
  const move = (by: number) => () => {
    const at = rows.findIndex(({ subtask }) => subtask.key === query.get("task"));
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (next) query.set({ task: next.subtask.key }, "replace");
  };
  useKeys([
    { key: "j", does: texts.goals.nextTask, act: move(1) },
    { key: "k", does: texts.goals.previousTask, act: move(-1) },
    {
      key: "v",
      does: texts.goals.otherView,
      act: () => query.set({ view: tab === "tree" ? undefined : "tree" }, "replace"),
    },
  ]);
  if (goal === undefined)
    return <NotLoaded of={{ error: state.error.value, reload: () => void state.load() }} />;
  return (
    <div class="goal-page">
      <GoalHead goal={goal} plan={plan} onChange={state.load} />
      {state.error.value !== undefined && (
        <Failed error={state.error.value} retry={() => void state.load()} />
      )}
      {subtasks.length === 0 ? (
        <p class="quiet" role="status">
          {goal.plan === null ? texts.goals.noPlan : texts.loading}
        </p>
      ) : (
        <>
          {!tooLarge && (
            <Tabs
              label={texts.evaluations.views}
              name="view"
              query={query}
              current={tab}
              tabs={[
                { id: "graph", title: texts.goals.graph },
                { id: "tree", title: texts.goals.tree, count: rows.length },
              ]}
            />
          )}
          {tab === "graph" ? (
            <PlanGraph
              nodes={nodes}
              selected={query.get("task")}
              onSelect={(key) => query.set({ task: key }, "replace")}
            />
          ) : (
            <PlanTree rows={rows} selected={query.get("task")} hrefOf={(key) => query.href({ task: key })} />
          )}
          {chosen === undefined ? (
            <p class="quiet">{texts.goals.choose}</p>
          ) : (
            <SubtaskPanel key={chosen.key} goal={goal} plan={plan} subtask={chosen} />
          )}
        </>
      )}
    </div>
  );
}
