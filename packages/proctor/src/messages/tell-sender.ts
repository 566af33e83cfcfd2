// What the sender of an `execute` learns of its run: the log, event by event, as the replies of document 004. Pure.
import type { Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { Json, JsonObject } from "../core/json.ts";
import { textOf } from "../core/message.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Reply } from "./post-office.ts";

export type Telling = Omit<Reply, "id" | "from">;

export interface TellSender {
  /** Returns the reply to one event, if there is one. */
  next(event: RunEvent): Telling | undefined;
  /** Id of the run that continues the task after the last event, by its retry policy. */
  readonly retriedAs: string | undefined;
}

export function createTellSender(runId: string): TellSender {
  const artifacts: Artifact[] = [];
  /** Number of pieces of each message so far. */
  const pieces = new Map<string, number>();
  let text = "";
  let retriedAs: string | undefined;

  const update = (payload: JsonObject): Telling => ({
    type: "notification",
    action: "status_update",
    payload: { run_id: runId, ...payload },
  });

  function chunk(streamId: string, payload: JsonObject, final: boolean): Telling {
    const seq = pieces.get(streamId) ?? 0;
    pieces.set(streamId, seq + 1);
    return { type: "notification", action: "stream_chunk", payload, streamId, seq, final };
  }

  return {
    next(event) {
      switch (event.type) {
        case "run.started":
          return update({ status: "running" });
        case "run.paused":
          return update({ status: "paused" });
        case "run.resumed":
          return update({ status: "running" });
        case "progress":
          return update({ status: "running", progress: event.payload });
        case "question.asked":
          return update({ status: "waiting", question: { ...event.payload.question } });
        case "question.answered":
          return update({ status: "running", answered: event.payload.id });
        case "message.opened":
          text = "";
          return undefined;
        case "message.extended":
          text += event.payload.text;
          return chunk(event.payload.id, { text: event.payload.text }, false);
        case "message.closed":
          return chunk(event.payload.id, { text: "" }, true);
        case "message.added": {
          const { role, parts, id } = event.payload.message;
          if (role !== "agent") return undefined;
          text = textOf(parts);
          return chunk(id, { text }, true);
        }
        case "artifact.added":
          artifacts.push(event.payload.artifact);
          return undefined;
        case "run.ended": {
          retriedAs = event.payload.retried_as;
          return retriedAs === undefined ? last(event.payload, { runId, artifacts, text }) : undefined;
        }
        default:
          return undefined;
      }
    },
    get retriedAs() {
      return retriedAs;
    },
  };
}

interface Ended {
  status: string;
  failure?: { code: string; message: string; details?: JsonObject };
  metrics?: Metrics;
}

function last(
  { status, failure, metrics }: Ended,
  { runId, artifacts, text }: { runId: string; artifacts: Artifact[]; text: string },
): Telling {
  const facts = {
    run_id: runId,
    status,
    artifacts: artifacts.map((artifact) => ({ ...artifact })),
    ...(metrics && { metrics }),
  };
  if (status === "completed" || status === "partial") {
    const result = resultIn(artifacts) ?? text;
    return { type: "response", action: "execute", payload: { ...facts, result } };
  }
  const { code, message, details } = failure ?? {
    code: status.toUpperCase(),
    message: `the run is ${status}`,
  };
  return {
    type: "error",
    action: "execute",
    payload: { ...facts, code, message, ...(details && { details }) },
  };
}

/** Returns the answer as agents of most protocols give it. */
function resultIn(artifacts: readonly Artifact[]): Json | undefined {
  const result = artifacts.find((each) => each.type === "structured" && each.name === "result");
  if (result?.type !== "structured" || result.data === undefined) return undefined;
  const { data } = result;
  const isWrapped = typeof data === "object" && data !== null && !Array.isArray(data) && "output" in data;
  return isWrapped ? (data.output ?? null) : data;
}
