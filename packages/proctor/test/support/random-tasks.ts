// Plans without anything wrong, for property tests: tasks and groups that depend on earlier tasks only, and a last one that waits for groups.
import * as fc from "fast-check";
import { isGroup, type PlanTask } from "../../src/core/plan.ts";

interface Draw {
  isGroup: boolean;
  parent: number;
  others: number[];
  byReference: boolean;
}

const draw = fc.record({
  isGroup: fc.boolean(),
  parent: fc.nat(),
  others: fc.array(fc.nat(), { maxLength: 4 }),
  byReference: fc.boolean(),
});

export const randomTasks: fc.Arbitrary<PlanTask[]> = fc
  .array(draw, { minLength: 1, maxLength: 40 })
  .map(build);

function build(draws: readonly Draw[]): PlanTask[] {
  const tasks: PlanTask[] = [];
  for (const [index, { isGroup: asGroup, parent, others, byReference }] of draws.entries()) {
    const id = `t${index}`;
    const groups = tasks.filter((task) => isGroup(task) && depthOf(task, tasks) < 15);
    const parentId = groups[parent % (groups.length * 2 || 1)]?.id;
    const around = new Set(ancestors(parentId, tasks));
    // A task cannot wait for a group that it is in, nor for one that begins after it.
    const allowed = tasks.filter((other) => !around.has(other.id) && !isGroup(other));
    const chosen = [...new Set(others.flatMap((pick) => allowed[pick % (allowed.length || 1)]?.id ?? []))];
    const place = parentId === undefined ? {} : { parentId };
    const from = chosen.map((other) => `\${tasks.${other}.output}`);
    if (asGroup) tasks.push({ id, ...place, dependsOn: chosen });
    else if (byReference) tasks.push({ id, capability: "c", ...place, input: { from } });
    else tasks.push({ id, capability: "c", ...place, dependsOn: chosen });
  }
  return withMembers(tasks);
}

/** A group that got no member gets one, and a last task waits for all groups. */
function withMembers(tasks: PlanTask[]): PlanTask[] {
  const parents = new Set(tasks.map(({ parentId }) => parentId));
  const groups = tasks.filter(isGroup);
  const members = groups
    .filter(({ id }) => !parents.has(id))
    .map(({ id }): PlanTask => ({ id: `member-of-${id}`, agent: "a", parentId: id }));
  return [...tasks, ...members, { id: "last", agent: "a", dependsOn: groups.map(({ id }) => id) }];
}

function ancestors(id: string | undefined, tasks: readonly PlanTask[]): string[] {
  const task = tasks.find((other) => other.id === id);
  return task === undefined ? [] : [task.id, ...ancestors(task.parentId, tasks)];
}

function depthOf(task: PlanTask, tasks: readonly PlanTask[]): number {
  return ancestors(task.id, tasks).length;
}
