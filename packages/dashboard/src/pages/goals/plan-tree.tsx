// The plan as a list with levels: groups, tasks, and the items of each `foreach`.
import { VirtualRows } from "../../components/virtual-rows.tsx";
import { texts } from "../../texts.ts";
import type { TreeRow } from "./plan-shape.ts";
import { SubtaskMark } from "./subtask-mark.tsx";

interface PlanTreeProps {
  rows: readonly TreeRow[];
  selected: string;
  hrefOf: (key: string) => string;
}

const ROW = 34;

export function PlanTree({ rows, selected, hrefOf }: PlanTreeProps) {
  const at = rows.findIndex(({ subtask }) => subtask.key === selected);
  return (
    <div class="plan-tree" style={{ height: `${Math.min(rows.length * ROW + 2, 560)}px` }}>
      <VirtualRows
        class="plan-tree-rows"
        label={texts.goals.tree}
        count={rows.length}
        height={ROW}
        fixed
        show={at}
        keyOf={(index) => rows[index]?.subtask.key ?? index}
        row={(index) => {
          const row = rows[index];
          return (
            row && (
              <div role="listitem">
                <a
                  class="tree-row"
                  href={hrefOf(row.subtask.key)}
                  aria-current={row.subtask.key === selected ? "true" : undefined}
                  style={{ "--depth": row.depth }}
                >
                  <SubtaskMark status={row.subtask.status} bare />
                  <span class="one-line" dir="auto">
                    {row.subtask.title ?? row.subtask.key}
                  </span>
                  <span class="one-line quiet">{row.doer}</span>
                  <span class="quiet number">
                    {row.subtask.attempts.length > 1 && texts.goals.attempts(row.subtask.attempts.length)}
                  </span>
                </a>
              </div>
            )
          );
        }}
      />
    </div>
  );
}
