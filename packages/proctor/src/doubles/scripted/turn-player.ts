// Plays a turn into its task: events are completed, read, taken into the state, and told to those who follow and to push receivers.
import { uuidV7 } from "../../core/id.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { A2aTask, PushConfig, StreamResponse } from "../../protocols/a2a/model.ts";
import type { A2aVersion } from "../../protocols/a2a/service.ts";
import type { BegunTurn } from "./begin-turn.ts";
import { decodeEvent, type Codecs, type EventIds } from "./complete-event.ts";
import { playTurn } from "./play-turn.ts";
import type { ScriptedEvent } from "./script.ts";
import type { PlayingTurn, ScriptedTask } from "./scripted-task.ts";
import { fillVariables } from "./variables.ts";

/** Notifies a push receiver of an event; never throws. */
export type Notify = (notice: {
  config: PushConfig;
  event: StreamResponse;
  task: A2aTask;
  version: A2aVersion;
}) => void;

interface TurnPlayerDeps {
  codecs: Codecs;
  clock: Clock;
  notify: Notify;
}

export interface Played {
  /** The number of the turn's first frame. */
  from: number;
  /** The number after its last frame; undefined while it is being played. */
  readonly end: number | undefined;
  /** Why the script could not be played to its end. */
  readonly failure: Error | undefined;
  /** The last event, where the turn has one. */
  readonly last: StreamResponse | undefined;
  done: Promise<void>;
}

type Playing = { -readonly [Key in keyof Played]: Played[Key] };

export interface TurnPlayer {
  play(begun: BegunTurn, messageId: string, options: { opening: boolean; version: A2aVersion }): Played;
  /** Ends the task as canceled, together with the turn under way. */
  cancel(task: ScriptedTask, version: A2aVersion): Promise<void>;
  /** Returns the JSON of an event that is sent unchanged; undefined for others. */
  rawOf(event: StreamResponse): JsonObject | undefined;
}

export function createTurnPlayer({ codecs, clock, notify }: TurnPlayerDeps): TurnPlayer {
  /** JSON that is sent instead of a frame that only holds its place. */
  const raws = new WeakMap<StreamResponse, JsonObject>();
  const now = (): string => new Date(clock.now()).toISOString();

  function tell(task: ScriptedTask, event: StreamResponse, version: A2aVersion): void {
    task.apply(event);
    for (const config of task.pushConfigs.values()) notify({ config, event, task: task.task, version });
  }

  function holdPlace(task: ScriptedTask, raw: JsonObject): StreamResponse {
    const { id: taskId, contextId } = task;
    const place: StreamResponse = { statusUpdate: { taskId, contextId, status: task.task.status } };
    raws.set(place, raw);
    task.log.append({ event: place, id: `${taskId}:${task.log.end}` });
    return place;
  }

  return {
    rawOf: (event) => raws.get(event),

    play(begun, messageId, { opening, version }) {
      const { task, turn, script, index, hasTask, text, groups } = begun;
      const ids: EventIds = {
        taskId: task.id,
        contextId: task.contextId,
        hasTask,
        newId: () => uuidV7(clock.now()),
        now,
      };
      const values = script.templates
        ? {
            text,
            messageId,
            taskId: task.id,
            contextId: task.contextId,
            testCaseId: task.testCaseId ?? "",
            turn: String(index),
            now: now(),
            ...groups,
          }
        : undefined;
      const played: Playing = {
        from: task.log.end,
        end: undefined,
        failure: undefined,
        last: undefined,
        done: DONE,
      };
      if (opening) task.apply({ task: task.task });

      function emit({ event, raw }: ScriptedEvent): void {
        const filled = values === undefined ? event : fillVariables(event, values);
        if (raw === true) played.last = holdPlace(task, filled);
        else tell(task, (played.last = decodeEvent(filled, ids, codecs)), version);
      }

      const fail = (error: unknown): void => {
        played.failure = error instanceof Error ? error : new Error(String(error));
      };
      const finish = (): void => {
        played.end = task.log.end;
        task.log.wake();
      };
      if (isInstant(turn)) {
        // Most turns wait for nothing, and need no way to be stopped.
        try {
          turn.events.forEach(emit);
        } catch (error) {
          fail(error);
        }
        finish();
      } else {
        const stop = new AbortController();
        const playing: PlayingTurn = { stop, isOpen: false, isCancelled: false, done: DONE };
        task.playing = playing;
        playing.done = playTurn(turn, { clock, emit, onOpen: () => (playing.isOpen = true) }, stop.signal)
          .catch(fail)
          .then(() => {
            if (playing.isCancelled) tell(task, canceled(task, now()), version);
            if (task.playing === playing) task.playing = undefined;
            finish();
          });
        played.done = playing.done;
      }
      return played;
    },

    async cancel(task, version) {
      const { playing } = task;
      if (playing === undefined) return tell(task, canceled(task, now()), version);
      playing.isCancelled = true;
      playing.stop.abort();
      await playing.done;
    },
  };
}

const DONE = Promise.resolve();

function isInstant({ events, staysOpen }: BegunTurn["turn"]): boolean {
  return staysOpen !== true && events.every(({ delayMs = 0 }) => delayMs === 0);
}

function canceled({ id: taskId, contextId }: ScriptedTask, timestamp: string): StreamResponse {
  return { statusUpdate: { taskId, contextId, status: { state: "TASK_STATE_CANCELED", timestamp } } };
}
