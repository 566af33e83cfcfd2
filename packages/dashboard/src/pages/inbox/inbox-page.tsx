// Everything that waits for a person, to be answered here.
import { useEffect } from "preact/hooks";
import { pagePath, segment } from "../../api/address.ts";
import type { OpenQuestion } from "../../api/gen/schema.ts";
import { AnswerForm } from "../../components/answer-form.tsx";
import { shortId } from "../../components/format.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { useKeys } from "../../state/keys.ts";
import { moreWaiting, reloadWaiting, waiting } from "../../state/waiting.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import "./inbox.css";

export function InboxPage() {
  usePageTitle(texts.inbox.title);
  const query = useQuery();
  const items = waiting.value;
  const found = items.findIndex(({ question }) => question.id === query.get("question"));
  const current = items[found === -1 ? 0 : found];
  useEffect(reloadWaiting, []);
  const move = (by: number) => () => {
    const next = items[Math.min(items.length - 1, Math.max(0, (found === -1 ? 0 : found) + by))];
    if (next) query.set({ question: next.question.id }, "replace");
  };
  useKeys([
    { key: "j", does: texts.keys.next, act: move(1) },
    { key: "k", does: texts.keys.previous, act: move(-1) },
  ]);
  return (
    <div>
      <div class="page-head">
        <h1>{texts.inbox.title}</h1>
        <span class="quiet">{items.length === 0 ? texts.inbox.empty : texts.inbox.explanation}</span>
      </div>
      {current !== undefined && (
        <div class="inbox">
          <ul class="inbox-list">
            {items.map((item) => (
              <li key={`${item.run_id} ${item.question.id}`}>
                <a
                  href={query.href({ question: item.question.id })}
                  aria-current={item === current ? "true" : undefined}
                >
                  <strong class="one-line">{item.agent}</strong>
                  <span class="quiet">{texts.question.kinds[item.question.kind]}</span>
                </a>
              </li>
            ))}
            {moreWaiting.value && <li class="quiet">{texts.inbox.more}</li>}
          </ul>
          <Open item={current} key={current.question.id} />
        </div>
      )}
    </div>
  );
}

function Open({ item }: { item: OpenQuestion }) {
  const { run_id, agent, goal, question } = item;
  return (
    <article class="inbox-open">
      <p class="quiet">
        {agent}, <a href={runHref(run_id)}>{shortId(run_id)}</a>{" "}
        {goal !== null && <a href={pagePath(`goals/${segment(goal.id)}`)}>{texts.inbox.goal(goal.title)}</a>}
      </p>
      <AnswerForm runId={run_id} question={question} />
      <p class="quiet">{texts.inbox.audience[question.audience]}</p>
    </article>
  );
}
