// One run of a case as a story: question, answer, checks. Its page has the rest.
import type { ComponentChildren } from "preact";
import { hub } from "../../api/hub.ts";
import { moreOf, type MoreOfRun } from "../../api/more.ts";
import { source as documents } from "../../api/source.ts";
import type { EvaluationRun, MessageList, Run } from "../../api/gen/schema.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Failed } from "../../components/notice.tsx";
import { Said } from "../../components/said.tsx";
import { Status } from "../../components/status.tsx";
import { TerminalText } from "../../components/terminal-text.tsx";
import { count } from "../../components/format.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { Checks } from "./checks.tsx";
import { RunFacts } from "./run-facts.tsx";
import { RunParts } from "./run-parts.tsx";
import { Thread } from "./thread.tsx";

interface Told {
  run: Run;
  messages: MessageList;
}

export function RunStory({ run, children }: { run: EvaluationRun; children?: ComponentChildren }) {
  const { run_id, reason, failure_code, checks, status, source } = run;
  const more = moreOf("run", run);
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
        {run_id !== null && documents().isHub && <a href={runHref(run_id)}>{texts.evaluations.openRun}</a>}
        {children}
      </p>
      <RunFacts run={run} />
      {reason !== null && <p class="notice bad said">{reason}</p>}
      {more?.said !== undefined && more.said.length > 0 && (
        <pre class="code last-words" tabIndex={0}>
          <TerminalText text={more.said.join("\n")} />
        </pre>
      )}
      {more?.failure_details !== undefined && (
        <details>
          <summary>{texts.evaluations.failureDetails}</summary>
          <JsonView value={more.failure_details} />
        </details>
      )}
      {told.error !== undefined && <Failed error={told.error} retry={told.reload} />}
      {told.value !== undefined && <Story told={told.value} />}
      {more?.thread !== undefined && (
        <section>
          <h2>{texts.evaluations.conversation}</h2>
          <Thread thread={more.thread} />
        </section>
      )}
      <section>
        <h2>{texts.evaluations.checks}</h2>
        <Checks checks={checks} />
      </section>
      {told.value !== undefined && <RunParts run={told.value.run} />}
      {more !== undefined && <LeftOut more={more} />}
    </article>
  );
}

/** Shows how much of the run the report left out. */
function LeftOut({ more: { events_left_out, artifacts_left_out } }: { more: MoreOfRun }) {
  return (
    <>
      {events_left_out > 0 && <p class="quiet">{texts.evaluations.eventsLeft(count(events_left_out))}</p>}
      {artifacts_left_out > 0 && (
        <p class="quiet">{texts.evaluations.artifactsLeft(count(artifacts_left_out))}</p>
      )}
    </>
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
