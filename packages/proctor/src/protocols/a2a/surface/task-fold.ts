// Reads the log of a run as a task of A2A: what the task is after each event, and what changed with it. One event makes at most one change,
// so that a stream can be continued after any of them.
import { applyEvent, type RunState } from "../../../core/fold.ts";
import type { Artifact } from "../../../core/artifact.ts";
import type { RunEvent } from "../../../core/event.ts";
import { resultId } from "../../../core/fold-messages.ts";
import type { JsonObject } from "../../../core/json.ts";
import { textPart, type Message, type Part } from "../../../core/message.ts";
import type { ConversationMessage } from "../../../core/ports/hub.ts";
import type { Question } from "../../../core/question.ts";
import type { Run } from "../../../core/run.ts";
import type { KnownTaskState } from "../model.ts";
import { createGrowingArtifacts, type ArtifactPiece, type GrowingArtifact } from "./growing-artifacts.ts";
import { createHistoryFold, type Said } from "./history-fold.ts";
import { shownQuestion, stateOf } from "./task-state.ts";

export type Change = { run: Run; sequence: number; timestamp: string } & (
  | { kind: "status"; state: KnownTaskState; says: Says | undefined; metadata: JsonObject | undefined }
  /** `isShown` is true when all of it came in pieces. */
  | { kind: "artifact"; artifact: Artifact; isShown: boolean }
  | { kind: "piece"; piece: ArtifactPiece }
);

/** Content of the message in a status. */
export type Says =
  | { kind: "message"; message: Message }
  | { kind: "question"; question: Question }
  /** Text of the hub itself. */
  | { kind: "note"; text: string };

export interface TaskFold {
  readonly runId: string;
  /** Takes the events of the log in order from sequence 0. */
  add(event: RunEvent): Change | undefined;
  /** Returns the run after the events; throws before the first. */
  run(): Run;
  said(): Said;
  /** Artifacts that are not whole yet. */
  growing(): GrowingArtifact[];
  /** Returns the time at which the task came into its state, in ISO 8601. */
  since(): string;
  /** Returns the sequence of the last event; -1 before the first. */
  sequence(): number;
}

export interface TaskFoldOptions {
  /** True to show messages and artifacts piece by piece as they come; otherwise when they are whole. */
  pieces: boolean;
}

const RELEVANT = /^(?:run\.|question\.|message\.|artifact\.|session\.parked$|progress$)/;

/** Returns whether events of this type concern a task. Others need not be parsed. */
export function isRelevant(type: string): boolean {
  return RELEVANT.test(type);
}

export function createTaskFold(runId: string, { pieces }: TaskFoldOptions): TaskFold {
  const talk = createHistoryFold(runId);
  const growing = createGrowingArtifacts();
  let state: RunState | null = null;
  let since = "";
  let sequence = -1;

  function run(): Run {
    if (state === null) throw new Error(`the log of run ${runId} has not been read`);
    return state.run;
  }

  /** Returns what the event says, whether or not the state changed with it; undefined when it says nothing. */
  function saysOf(event: RunEvent): { says: Says; metadata?: JsonObject } | undefined {
    switch (event.type) {
      case "message.added":
        return event.payload.message.role === "agent" ? message(event.payload.message) : undefined;
      case "message.extended": {
        const { id, part, text } = event.payload;
        return pieces ? { ...spoken(id, [textPart(text)]), metadata: { piece: { part } } } : undefined;
      }
      case "message.closed": {
        const { id, parts } = event.payload;
        if (pieces) return parts.length > 0 ? spoken(id, parts) : undefined;
        return message(whole(id));
      }
      case "progress": {
        const { message: text, ...rest } = event.payload;
        return typeof text === "string" && text !== ""
          ? { says: { kind: "note", text }, metadata: { progress: rest } }
          : undefined;
      }
      case "run.ended":
        return endSays(run(), talk.said(run()).messages.at(-1));
      default:
        return undefined;
    }
  }

  function whole(id: string): Message | undefined {
    return talk.said(run()).messages.find((each) => each.message.id === id)?.message;
  }

  return {
    runId,
    add(event) {
      sequence = event.sequence;
      if (!isRelevant(event.type)) return undefined;
      const before = state === null ? undefined : situationOf(state.run);
      const time = Date.parse(event.timestamp);
      if (event.type !== "progress") state = applyEvent(state, runId, event, time);
      talk.add(event);
      const after = situationOf(run());
      const { timestamp } = event;
      if (before?.state !== after.state) since = timestamp;
      if (before === undefined) return undefined;
      const piece = pieces ? growing.add(event) : undefined;
      if (piece !== undefined) return { run: run(), sequence, timestamp, kind: "piece", piece };
      if (event.type === "artifact.added") {
        const { artifact, by } = event.payload;
        if (by === "client" || artifact.agent_created === false) return undefined;
        const isShown = growing.close(artifact);
        return { run: run(), sequence, timestamp, kind: "artifact", artifact, isShown };
      }
      const { state: now, question } = after;
      const said = saysOf(event);
      if (said === undefined && before.state === now && before.question === question) return undefined;
      const says: Says | undefined = said ? said.says : question && { kind: "question", question };
      return { run: run(), sequence, timestamp, kind: "status", state: now, says, metadata: said?.metadata };
    },
    run,
    said: () => talk.said(run()),
    growing: () => growing.list(),
    since: () => since,
    sequence: () => sequence,
  };
}

function situationOf(run: Run): { state: KnownTaskState; question: Question | undefined } {
  return { state: stateOf(run), question: shownQuestion(run) };
}

function message(whole: Message | undefined): { says: Says } | undefined {
  return whole && { says: { kind: "message", message: whole } };
}

function spoken(id: string, parts: Part[]): { says: Says } {
  return { says: { kind: "message", message: { id, role: "agent", parts } } };
}

/** Returns how the run ended, unless that was said before: the failure, or the result of an agent that says nothing. */
function endSays(run: Run, last: ConversationMessage | undefined): { says: Says } | undefined {
  const why = run.failure?.message;
  if (run.retried_as !== null) {
    const text = `Attempt ${run.attempt} failed${why === undefined ? "" : `: ${why}`}. Another one follows.`;
    return { says: { kind: "note", text } };
  }
  if (why !== undefined) return { says: { kind: "note", text: why } };
  return last?.message.id === resultId(run) ? message(last.message) : undefined;
}
