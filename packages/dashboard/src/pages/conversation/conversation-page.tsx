// Runs that go on from one another, as one talk, which can go on from here.
import { useLocation, useRoute } from "preact-iso";
import { useEffect } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { onEvent } from "../../api/live.ts";
import type { Run } from "../../api/gen/schema.ts";
import { AnswerForm } from "../../components/answer-form.tsx";
import { shortId } from "../../components/format.ts";
import { MessageView } from "../../components/message-view.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { SayBox } from "../../components/say-box.tsx";
import { Status } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { texts } from "../../texts.ts";
import { forkedFrom } from "../run/forked-from.ts";
import { runHref, taskLine } from "../runs/run-row.tsx";
import "../run/run.css";

const PAUSE_MS = 300;

export function ConversationPage() {
  usePageTitle(texts.conversation.title);
  const id = useRoute().params["id"] ?? "";
  const { value, error, reload } = useLoad(`conversation ${id}`, (signal) => hub.conversation(id, signal));
  const runs = value?.runs ?? [];
  const ids = runs.map((run) => run.id).join(" ");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = onEvent(({ run_id, type, payload }) => {
      if (!ids.includes(run_id) && !(type === "run.created" && payload["conversation_id"] === id)) return;
      clearTimeout(timer);
      timer = setTimeout(reload, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      off();
    };
  }, [ids]);
  if (value === undefined) return error === undefined ? <Loading /> : <Failed error={error} retry={reload} />;
  const last = runs.at(-1);
  const agentOf = (runId: string): string => runs.find((run) => run.id === runId)?.agent ?? "";
  return (
    <div>
      <div class="page-head">
        <h1 dir="auto">{runs[0] ? taskLine(runs[0]) : texts.conversation.title}</h1>
        <code class="quiet">{shortId(id)}</code>
      </div>
      {value.cut && <p class="notice">{texts.conversation.cut}</p>}
      <div class="story">
        <div class="messages">
          {value.messages.map(({ message, run_id }) => (
            <MessageView key={message.id} message={message} agent={agentOf(run_id)} />
          ))}
          {runs.flatMap((run) =>
            run.questions.map((question) => (
              <section key={question.id} class="story-question">
                <AnswerForm runId={run.id} question={question} onAnswered={reload} />
              </section>
            )),
          )}
          {last !== undefined && last.ended_at !== null && <GoOn last={last} />}
        </div>
        <aside class="story-side">
          <h2>{texts.conversation.runs}</h2>
          <ol>
            {runs.map((run) => (
              <li key={run.id}>
                <Status status={run.status} bare /> <a href={runHref(run.id)}>{shortId(run.id)}</a>{" "}
                <Time at={run.created_at} />{" "}
                {forkedFrom(run) && <span class="quiet">{texts.fork.isFork}</span>}
              </li>
            ))}
          </ol>
        </aside>
      </div>
    </div>
  );
}

function GoOn({ last }: { last: Run }) {
  const { route } = useLocation();
  async function goOn(description: string): Promise<void> {
    const { id } = await hub.submit({ agent: last.agent, task: { description }, follows: last.id });
    route(runHref(id));
  }
  return <SayBox label={texts.conversation.goOnHint} action={texts.conversation.goOn} onSay={goOn} />;
}
