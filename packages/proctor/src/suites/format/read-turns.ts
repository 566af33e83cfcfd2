// The conversation of a test as it is run: its steps gathered into turns, or its simulated user with what plays it.
import type { ConversationOptions } from "../../core/conversation-options.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import { QUESTION_KINDS } from "../../core/question.ts";
import type { Place, SuiteCheck } from "../suite.ts";
import type { ScriptedTurn, SimulatedUser } from "../talk.ts";
import { inside, type Spot } from "./context.ts";
import { placeChecks } from "./place-checks.ts";
import type { TestFile } from "./schema.ts";
import { GOAL_REACHED } from "./user-entry.ts";

/** Every question goes to the suite, which answers for its user. */
export const ASK_THE_SUITE: ConversationOptions = {
  policy: Object.fromEntries(QUESTION_KINDS.map((kind) => [kind, "simulate"])),
};

/** The first turn says the task where there is one; every `say` begins another. */
export function readTurns({ task, turns = [] }: TestFile, spot: Spot): ScriptedTurn[] {
  const read: ScriptedTurn[] = [];
  const begin = (say: string, place: Place): void =>
    void read.push({ say, answers: [], checks: [], ...place });
  if (task) begin(task.description, placeOf(inside(spot, "task")));
  for (const [index, { say, expect, answer, decline }] of turns.entries()) {
    const at = inside(spot, "turns", index);
    if (say !== undefined) begin(say, placeOf(at));
    // The schema has seen to it that something is said first.
    const turn = read.at(-1);
    if (!turn) continue;
    if (answer !== undefined) turn.answers.push({ kind: "given", answer, ...placeOf(at) });
    if (decline) turn.answers.push({ kind: "declined", ...placeOf(at) });
    for (const { entry, place } of placeChecks(expect, inside(at, "expect")))
      // Checks of all runs together are refused in a turn.
      if ("evaluate" in entry) turn.checks.push({ ...entry, ...place } satisfies SuiteCheck);
  }
  return read;
}

export function readUser(
  { task, user }: TestFile,
  script: LlmScript | undefined,
  spot: Spot,
): SimulatedUser | undefined {
  if (!user) return undefined;
  const { persona, goal, facts, stop, model } = user;
  return {
    ...(persona !== undefined && { persona }),
    goal,
    facts,
    maxTurns: stop.max_turns,
    ...(stop.when !== GOAL_REACHED && { stopText: stop.when }),
    ...(model !== undefined && { model }),
    ...(script && { script }),
    opens: task === undefined,
    ...placeOf(inside(spot, "user")),
  };
}

function placeOf({ source, path }: Spot): Place {
  const { file, line, col } = source.place(path);
  return { file, line, col };
}
