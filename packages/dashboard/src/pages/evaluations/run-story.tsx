// One run of a case as a story: question, answer, checks. Its page has the rest.
import { hub } from "../../api/hub.ts";
import type { EvaluationRun, MessageList, Run } from "../../api/gen/schema.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Failed } from "../../components/notice.tsx";
import { Said } from "../../components/said.tsx";
import { Status } from "../../components/status.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { Checks } from "./checks.tsx";

interface Told {
  run: Run;
  messages: MessageList;
}

export function RunStory({ run }: { run: EvaluationRun }) {
  const { run_id, reason, failure_code, checks, status, source } = run;
  const told = useLoad<Told | undefined>(`story ${run_id}`, async (signal) =>
    run_id === null
      ? undefined
      : { run: await hub.run(run_id, signal), messages: await hub.messages(run_id, signal) },
  );
  return (
    <article class="run-story">
      <p class="head-line">
        <strong>{texts.evaluations.run(run.number)}</strong>
        {status !== null && <Status status={status as Run["status"]} />}
        {source !== "run" && <span class="tag">{source}</span>}
        {failure_code !== null && <code class="bad-text">{failure_code}</code>}
        {run_id !== null && <a href={runHref(run_id)}>{texts.evaluations.openRun}</a>}
      </p>
      {reason !== null && <p class="notice bad said">{reason}</p>}
      {told.error !== undefined && <Failed error={told.error} retry={told.reload} />}
      {told.value !== undefined && <Story told={told.value} />}
      <section>
        <h2>{texts.evaluations.checks}</h2>
        <Checks checks={checks} />
      </section>
    </article>
  );
}

function Story({ told: { run, messages } }: { told: Told }) {
  const said = messages.items.flatMap(({ message }) =>
    message.parts.map((part) => ({ role: message.role, part })),
  );
  const asked = said.filter(({ role }) => role === "user");
  const answered = said.filter(({ role }) => role === "agent");
  const results = run.artifacts.filter(({ data }) => data !== undefined);
  return (
    <>
      <section>
        <h2>{texts.evaluations.question}</h2>
        {asked.length === 0 && <Said text={run.task.description} />}
        {asked.map(({ part }, index) => (
          <PartView key={index} part={part} />
        ))}
      </section>
      <section>
        <h2>{texts.evaluations.answer}</h2>
        {answered.map(({ part }, index) => (
          <PartView key={index} part={part} />
        ))}
        {answered.length === 0 &&
          results.map(({ id, name, data }) => (
            <div key={id}>
              <h3>{name}</h3>
              <JsonView value={data} />
            </div>
          ))}
        {answered.length === 0 && results.length === 0 && <p class="quiet">{texts.evaluations.noAnswer}</p>}
      </section>
    </>
  );
}

function PartView({ part }: { part: MessageList["items"][number]["message"]["parts"][number] }) {
  switch (part.kind) {
    case "text":
      return <Said text={part.text} />;
    case "data":
      return <JsonView value={part.data} />;
    case "url":
      return <p class="said mono">{part.url}</p>;
    case "blob":
      return <p class="quiet">{part.name ?? part.content_hash}</p>;
  }
}
