// What the run took: time, tokens, money, steps; and what it left.
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { cost, count } from "../../components/format.ts";
import { Duration, Time } from "../../components/time.tsx";
import { pagePath } from "../../api/address.ts";
import { useLoad } from "../../state/use-load.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import type { RunTabProps } from "./run-page.tsx";

export function CostFacts({ run }: RunTabProps) {
  const query = useQuery();
  const { metrics } = run;
  const facts: [string, string | undefined][] = [
    [texts.run.facts.cost, metrics.cost_usd === undefined ? undefined : cost(metrics.cost_usd)],
    [texts.run.facts.tokens, number(metrics.total_tokens)],
    [texts.run.facts.input, number(metrics.input_tokens)],
    [texts.run.facts.output, number(metrics.output_tokens)],
    [texts.run.facts.models, number(metrics.llm_calls)],
    [texts.run.facts.tools, number(metrics.tool_calls)],
    [texts.run.facts.observed, number(metrics.observed_tool_calls)],
    [texts.run.facts.steps, number(metrics.total_steps)],
  ];
  return (
    <aside class="story-side">
      <dl class="facts">
        <dt>{texts.run.facts.created}</dt>
        <dd>
          <Time at={run.created_at} />
        </dd>
        <dt>{texts.run.facts.took}</dt>
        <dd>
          <Duration from={run.started_at} to={run.ended_at} />
        </dd>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <>
                <dt key={name}>{name}</dt>
                <dd>{value}</dd>
              </>
            ),
        )}
        {run.violations.length > 0 && (
          <>
            <dt>{texts.run.tabs.violations}</dt>
            <dd>
              <a href={query.href({ tab: "violations" })}>{count(run.violations.length)}</a>
            </dd>
          </>
        )}
        {run.artifacts.length > 0 && (
          <>
            <dt>{texts.run.tabs.artifacts}</dt>
            <dd>
              <a href={query.href({ tab: "artifacts" })}>{count(run.artifacts.length)}</a>
            </dd>
          </>
        )}
      </dl>
      {run.root_id === run.id && <Tree id={run.id} />}
    </aside>
  );
}

/** Shows the sum over the runs below this one, which is requested when it is opened: most runs have none below them. */
function Tree({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="tree" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.run.tree}</summary>
      {open && <TreeFacts id={id} />}
      <a href={pagePath("runs", { root: id })}>{texts.run.treeRuns}</a>
    </details>
  );
}

function TreeFacts({ id }: { id: string }) {
  const tally = useLoad(`tally ${id}`, (signal) => hub.tally(id, signal)).value;
  if (tally === undefined) return null;
  return (
    <dl class="facts">
      <dt>{texts.runs.title}</dt>
      <dd>{count(tally.runs)}</dd>
      <dt>{texts.run.facts.cost}</dt>
      <dd>{cost(tally.cost_usd)}</dd>
      <dt>{texts.run.facts.tokens}</dt>
      <dd>{count(tally.total_tokens)}</dd>
    </dl>
  );
}

function number(value: number | undefined): string | undefined {
  return value === undefined ? undefined : count(value);
}
