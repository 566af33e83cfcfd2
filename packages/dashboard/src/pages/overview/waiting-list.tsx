// The first questions that wait for a person, with the way to all of them.
import { pagePath } from "../../api/address.ts";
import { partsText } from "../../components/describe-event.ts";
import { count } from "../../components/format.ts";
import { Time } from "../../components/time.tsx";
import { waiting } from "../../state/waiting.ts";
import { texts } from "../../texts.ts";

const SHOWN = 5;

export function WaitingList() {
  return (
    <section>
      <div class="section-head">
        <h2>
          {texts.overview.forYou} <span class="quiet">{count(waiting.value.length)}</span>
        </h2>
        <a href={pagePath("inbox")}>{texts.overview.inbox}</a>
      </div>
      <table class="short-list">
        <tbody>
          {waiting.value.slice(0, SHOWN).map(({ run_id, agent, question }) => (
            <tr key={`${run_id} ${question.id}`}>
              <td class="fill">
                <a href={pagePath("inbox", { question: question.id })} dir="auto">
                  {partsText(question).slice(0, 200)}
                </a>
              </td>
              <td class="agent quiet" title={agent}>
                {agent}
              </td>
              <td class="tight quiet">
                {texts.question.expires} <Time at={question.expires_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
