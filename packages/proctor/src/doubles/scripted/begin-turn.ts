// What a message gets: which task, which script, which turn (document 001, section 3.2). Refuses what cannot be played before anything of
// the task changes. Playing is turn-player.ts.
import { uuidV7 } from "../../core/id.ts";
import { A2aError } from "../../protocols/a2a/errors.ts";
import type { A2aMessage } from "../../protocols/a2a/model.ts";
import type { A2aCall } from "../../protocols/a2a/service.ts";
import type { CapturedRequest } from "./captured-requests.ts";
import { findDirectives } from "./directives.ts";
import { eventKey } from "./complete-event.ts";
import type { ScriptSource, ChosenScript } from "./script-source.ts";
import type { Script, Turn } from "./script.ts";
import { createScriptedTask, type ScriptedTask } from "./scripted-task.ts";
import type { TaskStore } from "./task-store.ts";
import type { Values } from "./variables.ts";

export interface BegunTurn {
  task: ScriptedTask;
  /** Whether clients can ask for the task; false for an answer that consists of messages alone. */
  hasTask: boolean;
  isNew: boolean;
  script: Script;
  turn: Turn;
  index: number;
  text: string;
  groups: Values;
}

interface BeginTurnDeps {
  source: ScriptSource;
  tasks: TaskStore;
  now: () => number;
  /** Returns the number of the next task. */
  nextOrder: () => number;
  note: (facts: Partial<CapturedRequest>) => void;
}

/** Header by which a client, or a test without directives, says which test case its requests belong to. */
export const TEST_CASE_HEADER = "x-test-case-id";
const MAX_MESSAGES = 10_000;

/** Throws A2aError. */
export async function beginTurn(message: A2aMessage, call: A2aCall, deps: BeginTurnDeps): Promise<BegunTurn> {
  const { tasks, now, note } = deps;
  const texts = message.parts.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const directives = findDirectives(texts);
  const named = directives.testCaseId ?? call.headers[TEST_CASE_HEADER];
  if (named !== undefined) note({ test_case_id: named });
  const known = message.taskId === undefined || message.taskId === "" ? undefined : tasks.get(message.taskId);
  if (known !== undefined) {
    checkFollowUp(known, message, named);
    // Turns of one task follow each other. A turn without an end is ended by the next.
    while (known.playing !== undefined) {
      if (known.playing.isOpen) known.playing.stop.abort();
      await known.playing.done;
    }
  }
  const text = texts.join("\n");
  const testCaseId = known?.testCaseId ?? named;
  const contextId = known?.contextId ?? (message.contextId || uuidV7(now()));
  note({
    ...(testCaseId !== undefined && { test_case_id: testCaseId }),
    context_id: contextId,
    ...(known && { task_id: known.id }),
  });
  const asked = { text, messageId: message.messageId, contextId: message.contextId, testCaseId };
  const chosen =
    known === undefined ? deps.source.choose(asked, directives) : goOn(known, deps.source.chooseAgain(asked));
  const { script, groups, single } = chosen;
  const index = single || known === undefined ? 0 : known.userMessages;
  note({ script: script.name, turn: index });
  if (known?.isTerminal === true && script.ended === "refuse") throw ended(known);
  const turn = script.turn(index, text);
  if (turn === undefined) throw outOfTurns(script, index);
  const task =
    known ??
    createScriptedTask({
      id: uuidV7(now()),
      contextId,
      testCaseId,
      script,
      groups,
      order: deps.nextOrder(),
      now: new Date(now()).toISOString(),
    });
  const hasTask = known !== undefined || turn.events.length === 0 || !turn.events.every(isMessage);
  return { task, hasTask, isNew: known === undefined, script, turn, index, text, groups };
}

function goOn({ script, groups }: ScriptedTask, other: ChosenScript | undefined): ChosenScript {
  return other ?? { script, groups, single: false };
}

function isMessage({ event, raw }: Turn["events"][number]): boolean {
  return raw === true || eventKey(event) === "message";
}

function checkFollowUp(task: ScriptedTask, { contextId }: A2aMessage, testCaseId: string | undefined): void {
  if (contextId !== undefined && contextId !== "" && contextId !== task.contextId) {
    const description = "is not the context of the task that the message names";
    throw new A2aError("INVALID_PARAMS", `contextId ${description}`, {
      fields: [{ field: "message.contextId", description }],
    });
  }
  if (testCaseId !== undefined && task.testCaseId !== undefined && testCaseId !== task.testCaseId) {
    throw new A2aError(
      "INVALID_PARAMS",
      "the message names another test case than the one its task belongs to",
    );
  }
  if (task.userMessages >= MAX_MESSAGES) {
    throw new A2aError("RESOURCE_EXHAUSTED", `the task has ${MAX_MESSAGES} messages; begin another`);
  }
}

function ended({ id, task }: ScriptedTask): A2aError {
  return new A2aError(
    "UNSUPPORTED_OPERATION",
    `the task has ended as ${task.status.state}; it takes no message`,
    {
      metadata: { taskId: id },
    },
  );
}

function outOfTurns({ name, turns }: Script, index: number): A2aError {
  const has = turns === undefined ? "no turn" : turns === 1 ? "one turn" : `${turns} turns`;
  return new A2aError(
    "UNSUPPORTED_OPERATION",
    `the script ${JSON.stringify(name)} has ${has}, and this is message ${index + 1} of its task; add a turn, or begin another task`,
  );
}
