// The result of trying an agent: the run as it goes on, and its answer.
import { useEffect } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Run } from "../../api/gen/schema.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Said } from "../../components/said.tsx";
import { Status } from "../../components/status.tsx";
import { Duration } from "../../components/time.tsx";
import { soonAfterEvents } from "../../state/soon-after-events.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";

export function TriedRun({ first }: { first: Run }) {
  const loaded = useLoad(`tried ${first.id}`, async (signal) => {
    const run = await hub.run(first.id, signal);
    const messages = run.ended_at === null ? undefined : await hub.messages(run.id, signal);
    return { run, answer: messages?.items.findLast(({ message }) => message.role === "agent")?.message };
  });
  useEffect(() => soonAfterEvents(loaded.reload, ({ run_id }) => run_id === first.id), [first.id]);
  const run = loaded.value?.run ?? first;
  const results = run.artifacts.filter(({ data }) => data !== undefined);
  return (
    <article class="tried-run" data-run={run.id}>
      <p class="head-line">
        <Status status={run.status} />
        <Duration from={run.started_at} to={run.ended_at} />
        <a href={runHref(run.id)}>{texts.evaluations.openRun}</a>
      </p>
      {run.failure !== null && (
        <p class="notice bad said">
          {run.failure.message} <code>{run.failure.code}</code>
        </p>
      )}
      {results.map(({ id, data }) => (
        <JsonView key={id} value={data} />
      ))}
      {results.length === 0 &&
        loaded.value?.answer?.parts.map((part, index) =>
          part.kind === "text" ? <Said key={index} text={part.text} /> : null,
        )}
    </article>
  );
}
