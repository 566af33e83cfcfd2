// How to go on with a task later: in this run, from another process, or in a run that follows it. Sealed by the engine; still read as what
// an older version may have written.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { AgentInterface } from "../model.ts";
import type { ReaderState } from "./task-reader.ts";

export interface Continuation extends Partial<ReaderState> {
  interface?: AgentInterface;
  streams?: boolean;
  /** Times that the parked task was checked since it asked. */
  checks?: number;
}

export function sessionReport(continuation: Continuation): AgentReport {
  const { taskId, contextId } = continuation;
  return {
    kind: "session",
    // Everything in it is JSON.
    continuation: continuation as JsonObject,
    ids: {
      ...(taskId !== undefined && { task_id: taskId }),
      ...(contextId !== undefined && { context_id: contextId }),
    },
  };
}

export function readContinuation(value: Json | undefined): Continuation | undefined {
  if (!isJsonObject(value)) return undefined;
  const { taskId, contextId, state, heard, questions, streams, checks } = value;
  const spoken = interfaceIn(value["interface"]);
  return {
    ...(typeof taskId === "string" && { taskId }),
    ...(typeof contextId === "string" && { contextId }),
    ...(typeof state === "string" && { state }),
    ...(heard !== undefined && { heard }),
    ...(questions !== undefined && { questions }),
    ...(typeof streams === "boolean" && { streams }),
    ...(typeof checks === "number" && { checks }),
    ...(spoken && { interface: spoken }),
  };
}

function interfaceIn(value: Json | undefined): AgentInterface | undefined {
  if (!isJsonObject(value)) return undefined;
  const { url, protocolBinding, protocolVersion, tenant } = value;
  if (typeof url !== "string" || typeof protocolBinding !== "string" || typeof protocolVersion !== "string") {
    return undefined;
  }
  return { url, protocolBinding, protocolVersion, ...(typeof tenant === "string" && { tenant }) };
}
