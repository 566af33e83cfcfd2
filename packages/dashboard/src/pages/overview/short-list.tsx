// A few runs in a table.
import type { Run } from "../../api/gen/schema.ts";
import { Status } from "../../components/status.tsx";
import { Duration, Time } from "../../components/time.tsx";
import { texts } from "../../texts.ts";
import { runHref, taskLine } from "../runs/run-row.tsx";

interface ShortListProps {
  title: string;
  empty: string;
  runs: readonly Run[];
  href: string;
}

export function ShortList({ title, empty, runs, href }: ShortListProps) {
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        <a href={href}>{texts.overview.allRuns}</a>
      </div>
      {runs.length === 0 ? (
        <p class="quiet">{empty}</p>
      ) : (
        <table class="short-list">
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td class="tight">
                  <Status status={run.status} />
                </td>
                <td class="fill">
                  <a href={runHref(run.id)} dir="auto">
                    {taskLine(run)}
                  </a>
                  {run.failure !== null && <div class="one-line quiet">{run.failure.message}</div>}
                </td>
                <td class="agent quiet" title={run.agent}>
                  {run.agent}
                </td>
                <td class="tight number quiet">
                  {run.ended_at === null ? (
                    <Duration from={run.started_at} to={run.ended_at} />
                  ) : (
                    <Time at={run.ended_at} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
