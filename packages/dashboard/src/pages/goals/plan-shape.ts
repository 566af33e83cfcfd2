// The plan as a picture needs it: nodes with what each waits for. The items of one `foreach` are one node when there are many.
import type { Plan, Subtask, SubtaskStatus } from "../../api/gen/schema.ts";

export interface PlanNode {
  /** The key that the address names. */
  key: string;
  title: string;
  /** Who does it, or what it takes to do it. */
  doer: string;
  status: SubtaskStatus;
  attempts: number;
  /** Items that stand for it, where they are not shown one by one. */
  items: number;
  needs: readonly string[];
}

export interface TreeRow {
  subtask: Subtask;
  depth: number;
  doer: string;
}

/** Items of a `foreach` that are shown one by one. */
const SHOWN_ITEMS = 6;

export function planNodes(subtasks: readonly Subtask[], plan: Plan | null): PlanNode[] {
  const byTask = groupByTask(subtasks);
  const parents = new Set(subtasks.flatMap(({ parent_id }) => parent_id ?? []));
  const references = referencesOf(plan);
  const shown = new Map<string, Subtask[]>();
  for (const [task, all] of byTask) {
    if (parents.has(task)) continue;
    const items = all.filter(({ key }) => key !== task);
    shown.set(task, items.length === 0 || items.length > SHOWN_ITEMS ? all.slice(0, 1) : items);
  }
  /** A group stands for what is in it. */
  const nodesOf = (task: string): string[] =>
    parents.has(task)
      ? [...byTask.entries()]
          .filter(([, all]) => all[0]?.parent_id === task)
          .flatMap(([inner]) => nodesOf(inner))
      : (shown.get(task) ?? []).map(({ key }) => key);
  return [...shown].flatMap(([task, nodes]) => {
    const needs = new Set([...(nodes[0]?.depends_on ?? []), ...(references.get(task) ?? [])]);
    for (let parent = nodes[0]?.parent_id; parent != null; parent = byTask.get(parent)?.[0]?.parent_id) {
      for (const need of [...(byTask.get(parent)?.[0]?.depends_on ?? []), ...(references.get(parent) ?? [])])
        needs.add(need);
    }
    const all = byTask.get(task) ?? [];
    return nodes.map((subtask) => ({
      key: subtask.key,
      title: subtask.title ?? subtask.key,
      doer: doerOf(subtask, plan),
      status: subtask.status,
      attempts: subtask.attempts.length,
      items: nodes.length === 1 && all.length > 1 ? all.length - 1 : 0,
      needs: [...needs].flatMap((need) => nodesOf(need.replace(/\[\d+\]$/, ""))),
    }));
  });
}

/** Groups before what is in them, a `foreach` before its items. */
export function treeRows(subtasks: readonly Subtask[], plan: Plan | null): TreeRow[] {
  const children = new Map<string | null, Subtask[]>();
  for (const subtask of subtasks) {
    const parent = subtask.key === subtask.task ? subtask.parent_id : subtask.task;
    children.set(parent, [...(children.get(parent) ?? []), subtask]);
  }
  const rows: TreeRow[] = [];
  const stack = (children.get(null) ?? []).toReversed().map((subtask) => ({ subtask, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { subtask, depth } = next;
    rows.push({ subtask, depth, doer: doerOf(subtask, plan) });
    for (const child of (children.get(subtask.key) ?? []).toReversed())
      stack.push({ subtask: child, depth: depth + 1 });
  }
  return rows;
}

export function doerOf({ task, attempts }: Subtask, plan: Plan | null): string {
  const planned = plan?.tasks.find(({ id }) => id === task);
  return attempts.at(-1)?.agent ?? planned?.agent ?? planned?.capability ?? "";
}

function groupByTask(subtasks: readonly Subtask[]): Map<string, Subtask[]> {
  const groups = new Map<string, Subtask[]>();
  for (const subtask of subtasks) {
    const group = groups.get(subtask.task);
    if (group) group.push(subtask);
    else groups.set(subtask.task, [subtask]);
  }
  return groups;
}

/** A reference to a task's output is a dependency, too: by task, the tasks that it names. */
function referencesOf(plan: Plan | null): Map<string, string[]> {
  return new Map(
    (plan?.tasks ?? []).map(({ id, title, description, input, foreach: items, when }) => {
      const text = JSON.stringify([title, description, input, items, when]);
      const names = [...text.matchAll(/(?<!\$)\$\{tasks\.([\w-]+)/g)].flatMap(([, name]) => name ?? []);
      return [id, names.filter((name) => name !== id)];
    }),
  );
}
