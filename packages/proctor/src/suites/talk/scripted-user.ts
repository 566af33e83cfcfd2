// Plays a list of turns: says what is written, and answers the agent's questions in the order of the answers.
import { textOf } from "../../core/message.ts";
import { needsOption } from "../../core/policy.ts";
import { quote } from "../../core/printable.ts";
import type { Place } from "../suite.ts";
import type { ScriptedTurn } from "../talk.ts";
import { count } from "../texts/words.ts";
import { decline, replyTo } from "./reply-to.ts";
import { simulatorFailed, type Stop, type UserSide } from "./user-side.ts";

export function createScriptedUser(turns: readonly ScriptedTurn[]): UserSide {
  const notes: string[] = [];
  let at = -1;
  let used = 0;

  function noteUnused(): void {
    const left = (turns[at]?.answers ?? []).slice(used);
    const [first] = left;
    if (first)
      notes.push(`turn ${at + 1}: ${count(left.length, "answer")} not needed, from ${placeText(first)} on`);
    used = 0;
  }

  return {
    next() {
      noteUnused();
      at += 1;
      const turn = turns[at];
      if (!turn) return Promise.resolve({ kind: "over", ended: "script" });
      return Promise.resolve({ kind: "say", say: turn.say, last: at === turns.length - 1 });
    },
    answer({ question, refused }) {
      const answers = turns[at]?.answers ?? [];
      if (refused !== undefined) {
        const before = answers[used - 1];
        const place = before === undefined ? "" : ` at ${placeText(before)}`;
        return Promise.resolve(
          simulatorFailed(
            `the answer${place} does not fit the question ${shown(question.parts)}: ${refused}`,
          ),
        );
      }
      const answer = answers[used];
      used += 1;
      if (answer?.kind === "given") return Promise.resolve(replyTo(question, answer.answer));
      // Permissions that the script does not foresee are declined.
      if (answer || needsOption(question.kind)) return Promise.resolve(decline(question));
      return Promise.resolve(unanswered(at + 1, shown(question.parts)));
    },
    notes: () => notes,
    used: () => undefined,
  };
}

function unanswered(turn: number, question: string): Stop {
  const message = `the agent asked in turn ${turn}, and the script has no answer left: ${question}`;
  const failure = { code: "NO_ANSWER", message };
  return { kind: "stop", ended: "question", outcome: "fail", reason: `NO_ANSWER: ${message}`, failure };
}

function shown(parts: Parameters<typeof textOf>[0]): string {
  return quote(textOf(parts), 200);
}

function placeText({ file, line, col }: Place): string {
  return `${file}:${line}:${col}`;
}
