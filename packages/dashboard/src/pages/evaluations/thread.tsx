// The conversation of a run, turn by turn: what the user and the agent said, what was asked and how it was answered.
import type { Thread as ThreadDocument, ThreadTurn } from "../../api/more.ts";
import { count } from "../../components/format.ts";
import { VerdictMark } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

export function Thread({ thread: { turns, ended, simulator } }: { thread: ThreadDocument }) {
  return (
    <div class="thread">
      {turns.map((turn) => (
        <Turn key={turn.turn} turn={turn} />
      ))}
      <p class="quiet">
        {texts.thread.ended(ended.replaceAll("_", " "))}{" "}
        {simulator !== undefined &&
          texts.thread.simulator(
            count(simulator.calls),
            count(simulator.input_tokens + simulator.output_tokens),
          )}
      </p>
    </div>
  );
}

function Turn({ turn: { turn, status, outcome, run_id, lines, lines_left_out } }: { turn: ThreadTurn }) {
  return (
    <section class="turn">
      <h3>
        {texts.thread.turn(turn)} {outcome !== null && <VerdictMark verdict={outcome} />}{" "}
        <span>{status}</span> <code>{run_id}</code>
      </h3>
      <ol>
        {lines.map(({ who, what, kind, text, cut }, index) => (
          <li key={index} class={`turn-line by-${who}`}>
            <span class="quiet">
              {`${who}${what === "says" ? "" : ` ${what}`}${kind === undefined ? "" : ` (${kind})`}`}
            </span>
            {text !== "" && <p class="said">{cut === true ? `${text}…` : text}</p>}
          </li>
        ))}
      </ol>
      {lines_left_out > 0 && <p class="quiet">{texts.thread.left(count(lines_left_out))}</p>}
    </section>
  );
}
