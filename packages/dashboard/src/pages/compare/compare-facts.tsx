// The figures of two runs side by side.
import type { Run } from "../../api/gen/schema.ts";
import { cost, count, duration } from "../../components/format.ts";
import { HubLink } from "../../components/hub-link.tsx";
import { Status } from "../../components/status.tsx";
import { texts } from "../../texts.ts";
import { runHref, taskLine } from "../runs/run-row.tsx";

export function CompareFacts({ a, b }: { a: Run; b: Run }) {
  const names = texts.compare.facts;
  const rows: [string, (run: Run) => string][] = [
    [names.took, tookText],
    [names.cost, ({ metrics }) => (metrics.cost_usd === undefined ? "–" : cost(metrics.cost_usd))],
    [names.tokens, ({ metrics }) => (metrics.total_tokens === undefined ? "–" : count(metrics.total_tokens))],
    [names.steps, ({ metrics }) => (metrics.total_steps === undefined ? "–" : count(metrics.total_steps))],
    [names.artifacts, ({ artifacts }) => count(artifacts.length)],
  ];
  return (
    <table class="compare-facts">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden-text">{texts.compare.step}</span>
          </th>
          {[a, b].map((run) => (
            <th key={run.id} scope="col">
              <HubLink href={runHref(run.id)}>{taskLine(run)}</HubLink>
              <div class="quiet">{run.agent}</div>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{names.status}</th>
          {[a, b].map((run) => (
            <td key={run.id}>
              <Status status={run.status} />
            </td>
          ))}
        </tr>
        {rows.map(([name, value]) => (
          <tr key={name} class={value(a) === value(b) ? "" : "differs"}>
            <th scope="row">{name}</th>
            <td>{value(a)}</td>
            <td>{value(b)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function tookText({ started_at, ended_at }: Run): string {
  if (started_at === null || ended_at === null) return "–";
  return duration(Date.parse(ended_at) - Date.parse(started_at));
}
