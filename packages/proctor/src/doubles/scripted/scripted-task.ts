// One task of a scripted agent: its state, what was sent of it, and the turn that is being played.
import { isTerminalState } from "../../protocols/a2a/states.ts";
import type { A2aMessage, A2aTask, PushConfig, StreamResponse } from "../../protocols/a2a/model.ts";
import { foldMessage, foldTask } from "./fold-task.ts";
import type { Script } from "./script.ts";
import { createTaskLog, type TaskLog } from "./task-log.ts";
import type { Values } from "./variables.ts";

export interface ScriptedTask {
  readonly id: string;
  readonly contextId: string;
  readonly testCaseId: string | undefined;
  /** The script that the task's first message chose; `groups` has the values of its pattern. */
  readonly script: Script;
  readonly groups: Values;
  readonly log: TaskLog;
  readonly pushConfigs: Map<string, PushConfig>;
  /** The task in its current state. */
  readonly task: A2aTask;
  /** Number of the task in the order in which all tasks began. */
  readonly order: number;
  readonly isTerminal: boolean;
  /** Number of user messages so far, the index of the next turn (document 001, section 3.2, "based on the length of the task's history"). */
  readonly userMessages: number;
  /** Characters of the first message, which is most of what a task holds. */
  readonly firstChars: number;
  say(message: A2aMessage, chars: number): void;
  /** Takes an event into the state and into the log; `shown` is what followers see instead. */
  apply(event: StreamResponse, shown?: StreamResponse): void;
  /** The turn under way, if there is one. */
  playing: PlayingTurn | undefined;
}

export interface PlayingTurn {
  /** Resolves when the turn is over; never rejects. */
  done: Promise<void>;
  stop: AbortController;
  /** True when all events were played and the turn stays open. */
  isOpen: boolean;
  /** True when the client has asked to cancel the task. */
  isCancelled: boolean;
}

export interface NewTask {
  id: string;
  contextId: string;
  testCaseId: string | undefined;
  script: Script;
  groups: Values;
  order: number;
  /** Time of the task's beginning in ISO 8601. */
  now: string;
}

export function createScriptedTask(options: NewTask): ScriptedTask {
  return new PlayedTask(options);
}

/** A class, because a new object with its own getters costs more than the rest of a short turn. */
class PlayedTask implements ScriptedTask {
  readonly id: string;
  readonly contextId: string;
  readonly testCaseId: string | undefined;
  readonly script: Script;
  readonly groups: Values;
  readonly order: number;
  readonly log = createTaskLog();
  readonly pushConfigs = new Map<string, PushConfig>();
  playing: PlayingTurn | undefined;
  task: A2aTask;
  userMessages = 0;
  firstChars = 0;

  constructor({ id, contextId, testCaseId, script, groups, order, now }: NewTask) {
    this.id = id;
    this.contextId = contextId;
    this.testCaseId = testCaseId;
    this.script = script;
    this.groups = groups;
    this.order = order;
    this.task = { id, contextId, status: { state: "TASK_STATE_SUBMITTED", timestamp: now } };
  }

  get isTerminal(): boolean {
    return isTerminalState(this.task.status.state);
  }

  say(message: A2aMessage, chars: number): void {
    const { id: taskId, contextId } = this;
    this.userMessages += 1;
    if (this.userMessages === 1) this.firstChars = chars;
    this.task = foldMessage(this.task, { ...message, taskId, contextId });
  }

  apply(event: StreamResponse, shown = event): void {
    this.task = foldTask(this.task, event);
    this.log.append({ event: shown, id: `${this.id}:${this.log.end}` });
  }
}

/** Returns the number of the frame after the last one that a client has; undefined for an id that is not of this task. */
export function resumeAt({ id, log }: ScriptedTask, lastEventId: string | undefined): number | undefined {
  if (lastEventId?.startsWith(`${id}:`) !== true) return undefined;
  const number = Number(lastEventId.slice(id.length + 1));
  return Number.isSafeInteger(number) && number >= 0 && number < log.end ? number + 1 : undefined;
}
