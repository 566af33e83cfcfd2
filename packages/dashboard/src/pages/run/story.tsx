// The run as a story: what was asked, what happened, what came of it, and what it cost.
import { hub } from "../../api/hub.ts";
import { AnswerForm } from "../../components/answer-form.tsx";
import { partsText } from "../../components/describe-event.ts";
import { count } from "../../components/format.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Said } from "../../components/said.tsx";
import { useLoad } from "../../state/use-load.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { taskLine } from "../runs/run-row.tsx";
import { Beats } from "./beats.tsx";
import { CostFacts } from "./cost-facts.tsx";
import type { RunTabProps } from "./run-page.tsx";
import { Verdicts } from "./verdicts.tsx";

export function Story({ run, log }: RunTabProps) {
  const query = useQuery();
  // The hub knows best what of the log is the answer.
  const messages = useLoad(`${run.id} ${run.ended_at ?? ""}`, (signal) => hub.messages(run.id, signal));
  const answer = messages.value?.items.findLast(({ message }) => message.role === "agent");
  return (
    <div class="story">
      <div class="story-main">
        {run.questions.map((question) => (
          <section key={question.id} class="story-question">
            <h2>{texts.run.asks}</h2>
            <AnswerForm runId={run.id} question={question} onAnswered={() => void log.reload()} />
          </section>
        ))}
        {(run.task.description !== taskLine(run) || run.task.input_data !== undefined) && (
          <section>
            <h2>{texts.run.question}</h2>
            <Said text={run.task.description} />
            {run.task.input_data !== undefined && <JsonView value={run.task.input_data} open={false} />}
          </section>
        )}
        <section>
          <div class="section-head">
            <h2>{texts.run.happened}</h2>
            <a href={query.href({ tab: "log" })}>{texts.run.allEvents(count(log.total.value))}</a>
          </div>
          <Beats events={log.events.value} total={log.total.value} />
        </section>
        {run.failure !== null && (
          <section>
            <h2>{texts.run.failure}</h2>
            <div class="notice bad">
              <strong>{run.failure.code}</strong>
              <div class="said">{run.failure.message}</div>
            </div>
          </section>
        )}
        {answer !== undefined && (
          <section class="story-answer">
            <h2>{texts.run.answer}</h2>
            <Said text={partsText(answer.message)} />
          </section>
        )}
        <Verdicts run={run} />
      </div>
      <CostFacts run={run} log={log} />
    </div>
  );
}
