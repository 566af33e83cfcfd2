// A conversation for reports: the lines of every turn, cut to a size that a report can hold, and what its checks come to.
import type { CheckSubject } from "../check.ts";
import type { CheckResult } from "../result.ts";
import type { Thread, ThreadLine, ThreadTurn } from "../thread.ts";
import { combineOutcomes } from "../verdict.ts";
import { wholeCharacters } from "../texts/words.ts";
import type { HeldConversation } from "./hold-conversation.ts";
import { threadLines } from "./thread-lines.ts";

/** Characters kept of one line, and lines of one turn. */
const MAX_TEXT = 2000;
const MAX_LINES = 60;
/** Lines of the whole conversation. */
const MAX_ALL_LINES = 300;

export async function threadOf(
  { ended, simulator }: Omit<HeldConversation, "turns">,
  subjects: readonly CheckSubject[],
  checks: readonly CheckResult[],
): Promise<Thread> {
  const turns: ThreadTurn[] = [];
  let room = MAX_ALL_LINES;
  for (const [index, subject] of subjects.entries()) {
    const { run } = subject;
    const lines = await threadLines(run, subject.events());
    const kept = lines.slice(0, Math.min(MAX_LINES, room)).map(cutLine);
    room -= kept.length;
    const judged = checks.filter(({ turn, weight }) => turn === index + 1 && weight > 0);
    turns.push({
      turn: index + 1,
      run_id: run.id,
      status: run.status,
      outcome: judged.length === 0 ? null : combineOutcomes(judged.map(({ verdict }) => verdict.outcome)),
      lines: kept,
      lines_left_out: lines.length - kept.length,
    });
  }
  return {
    conversation_id: subjects[0]?.run.conversation_id ?? "",
    turns,
    ended,
    ...(simulator && { simulator }),
  };
}

function cutLine(line: ThreadLine): ThreadLine {
  if (line.text.length <= MAX_TEXT) return line;
  return { ...line, text: wholeCharacters(line.text.slice(0, MAX_TEXT)), cut: true };
}
