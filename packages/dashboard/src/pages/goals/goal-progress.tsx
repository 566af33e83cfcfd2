// How far a goal is: its sub-tasks by what became of them.
import type { Goal } from "../../api/gen/schema.ts";
import { TallyBar } from "../../components/tally-bar.tsx";
import { texts } from "../../texts.ts";

export function GoalProgress({ goal }: { goal: Goal }) {
  const of = (...names: string[]): number => names.reduce((sum, name) => sum + (goal.counts[name] ?? 0), 0);
  const whole = Object.values(goal.counts).reduce((sum, value) => sum + value, 0);
  const done = of("completed");
  return (
    <span class="tally">
      <span>
        {goal.plan === null ? <span class="quiet">{texts.goals.noPlan}</span> : texts.goals.done(done, whole)}
      </span>
      <TallyBar
        whole={whole}
        label={texts.goals.progress(done, of("failed"), whole)}
        shares={[
          { tone: "good", value: done },
          { tone: "bad", value: of("failed") },
          { tone: "warn", value: of("reviewing", "compensated") },
          { tone: "busy", value: of("running") },
        ]}
      />
    </span>
  );
}
