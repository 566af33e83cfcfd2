// The forks of a run, and where it can be forked besides its messages: at its end, and after the steps of its terminal.
import type { ForkPoint, Run } from "../../api/gen/schema.ts";
import { pagePath } from "../../api/address.ts";
import { Button } from "../../components/button.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";
import { runHref, taskLine } from "../runs/run-row.tsx";

interface ForksProps {
  run: Run;
  points: readonly ForkPoint[];
  forks: readonly Run[];
  onFork: (point: ForkPoint) => void;
}

export function Forks({ run, points, forks, onFork }: ForksProps) {
  const others = points.filter(({ kind }) => kind !== "message");
  if (others.length === 0 && forks.length === 0) return null;
  return (
    <section class="forks">
      <h2>{texts.fork.title}</h2>
      {others.length > 0 && (
        <div class="row-of-buttons">
          {others.map((point) => (
            <Button key={pointName(point)} onPress={() => onFork(point)}>
              {pointName(point)}
            </Button>
          ))}
        </div>
      )}
      {forks.length > 0 && (
        <ul class="fork-list">
          {forks.map((fork) => (
            <li key={fork.id}>
              <Status status={fork.status} bare />
              <a class="one-line" dir="auto" href={runHref(fork.id)}>
                {taskLine(fork)}
              </a>
              <span class="one-line quiet" title={fork.agent}>
                {fork.agent}
              </span>
              <span class="quiet">
                <Time at={fork.created_at} />
              </span>
              <a href={pagePath("compare", { a: run.id, b: fork.id })}>{texts.run.compare}</a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function pointName(point: ForkPoint): string {
  switch (point.kind) {
    case "message":
      return texts.fork.fromHere;
    case "step":
      return texts.fork.afterStep(point.step);
    case "end":
      return texts.fork.atEnd;
  }
}
