// A whole conversation as checks of its test see it: the last run is the answer, its log and what was used are those of all runs.
import type { CheckSubject } from "../check.ts";
import type { Constraints } from "../../core/task.ts";
import { sumMetrics } from "./left-of.ts";

/** `turns` has at least one turn. */
export function wholeSubject(
  turns: readonly [CheckSubject, ...CheckSubject[]],
  limits: Constraints,
): CheckSubject {
  const [first] = turns;
  const last = turns.at(-1) ?? first;
  return {
    ...last,
    run: {
      ...last.run,
      task: first.run.task,
      constraints: limits,
      started_at: first.run.started_at,
      metrics: sumMetrics(turns.map(({ run }) => run.metrics)),
    },
    async *events() {
      for (const turn of turns) yield* turn.events();
    },
    async transcript() {
      const texts: string[] = [];
      for (const turn of turns) texts.push(await turn.transcript());
      return texts.join("\n");
    },
  };
}
