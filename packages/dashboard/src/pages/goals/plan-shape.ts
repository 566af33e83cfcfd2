// The plan as a picture needs it: nodes with what each waits for. The items of one `foreach` are one node when there are many.
import type { Plan, Subtask, SubtaskStatus } from "../../api/gen/schema.ts";

export interface PlanNode {
  /** Key by which the address names the node. */
  key: string;
  title: string;
  /** Agent that does the task, or the capability that it needs. */
  doer: string;
  status: SubtaskStatus;
  attempts: number;
  /** Number of items that the node stands for, where they are not shown one by one. */
  items: number;
  needs: readonly string[];
}

export interface TreeRow {
  subtask: Subtask;
  depth: number;
  doer: string;
}

/** Number of items of a `foreach` up to which they are shown one by one. */
const SHOWN_ITEMS = 6;

export function planNodes(subtasks: readonly Subtask[], plan: Plan | null): PlanNode[] {
  const byTask = groupBy(subtasks, ({ task }) => task);
  const firsts = [...byTask.values()].flatMap(([first]) => first ?? []);
  const inGroup = groupBy(firsts, ({ parent_id }) => parent_id);
  const references = referencesOf(plan);
  const doerOf = doersOf(plan);
  const shown = new Map<string, readonly Subtask[]>();
  for (const [task, all] of byTask) {
    if (inGroup.has(task)) continue;
    const items = all.filter(({ key }) => key !== task);
    shown.set(task, items.length === 0 || items.length > SHOWN_ITEMS ? all.slice(0, 1) : items);
  }
  /** Returns the keys of a task's nodes; a group stands for what is in it. */
  const keysOf = (task: string): string[] =>
    inGroup.has(task)
      ? (inGroup.get(task) ?? []).flatMap((inner) => keysOf(inner.task))
      : (shown.get(task) ?? []).map(({ key }) => key);
  const needsOf = (first: Subtask | undefined): string[] =>
    first === undefined ? [] : [...first.depends_on, ...(references.get(first.task) ?? [])];
  return [...shown].flatMap(([task, nodes]) => {
    const needs = new Set<string>();
    // Everything in a group waits for what the group waits for.
    for (let at = nodes[0]; at !== undefined; at = byTask.get(at.parent_id ?? "")?.[0]) {
      for (const need of needsOf(at)) needs.add(need.replace(/\[\d+\]$/, ""));
    }
    const all = byTask.get(task) ?? [];
    return nodes.map((subtask) => ({
      key: subtask.key,
      title: subtask.title ?? subtask.key,
      doer: doerOf(subtask),
      status: subtask.status,
      attempts: subtask.attempts.length,
      items: nodes.length === 1 && all.length > 1 ? all.length - 1 : 0,
      needs: [...needs].flatMap(keysOf),
    }));
  });
}

/** Returns the rows of the tree: groups before what is in them, a `foreach` before its items. */
export function treeRows(subtasks: readonly Subtask[], plan: Plan | null): TreeRow[] {
  const children = groupBy(subtasks, ({ key, task, parent_id }) => (key === task ? parent_id : task));
  const doerOf = doersOf(plan);
  const rows: TreeRow[] = [];
  const stack = (children.get(null) ?? []).toReversed().map((subtask) => ({ subtask, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { subtask, depth } = next;
    rows.push({ subtask, depth, doer: doerOf(subtask) });
    for (const child of (children.get(subtask.key) ?? []).toReversed())
      stack.push({ subtask: child, depth: depth + 1 });
  }
  return rows;
}

/** Returns a function that names the agent that did a sub-task last, else the agent or the capability that the plan asks for. */
function doersOf(plan: Plan | null): (subtask: Subtask) => string {
  const planned = new Map(plan?.tasks.map((task) => [task.id, task]));
  return ({ task, attempts }) =>
    attempts.at(-1)?.agent ?? planned.get(task)?.agent ?? planned.get(task)?.capability ?? "";
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** Returns, by task, the tasks to whose output it refers: such a reference is a dependency, too. */
function referencesOf(plan: Plan | null): Map<string, string[]> {
  return new Map(
    (plan?.tasks ?? []).map(({ id, title, description, input, foreach: items, when }) => {
      const text = JSON.stringify([title, description, input, items, when]);
      const names = [...text.matchAll(/(?<!\$)\$\{tasks\.([\w-]+)/g)].flatMap(([, name]) => name ?? []);
      return [id, names.filter((name) => name !== id)];
    }),
  );
}
