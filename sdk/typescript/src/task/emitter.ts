// Turns what an agent reports into events: numbered without a gap, free of secrets, none after the end.
import { isObject, type JsonObject, toJson } from "../protocol/json.ts";
import {
  type AtpEvent,
  type EventPayloads,
  type EventType,
  MAX_MESSAGE_BYTES,
  VERSION,
} from "../protocol/messages.ts";
import type { Redactor } from "../secrets/redactor.ts";
import type { Meter } from "./meter.ts";

/** Has one method for each kind of event. Each throws a TypeError when its payload cannot be written as JSON. */
export interface Emit {
  readonly toolCall: (payload: EventPayloads["tool_call"]) => void;
  readonly llmRequest: (payload: EventPayloads["llm_request"]) => void;
  readonly reasoning: (payload: EventPayloads["reasoning"]) => void;
  readonly stateChange: (payload: EventPayloads["state_change"]) => void;
  readonly artifactCreated: (payload: EventPayloads["artifact_created"]) => void;
  readonly error: (payload: EventPayloads["error"]) => void;
  readonly progress: (payload: EventPayloads["progress"]) => void;
}

interface Emitter {
  readonly emit: Emit;
  /** Drops all further events, because the response is on its way. */
  readonly end: () => void;
}

export function createEmitter(
  taskId: string,
  redactor: Redactor,
  meter: Meter,
  send: (event: AtpEvent) => void,
): Emitter {
  let sequence = 0;
  let ended = false;

  const emitter =
    (type: EventType) =>
    (payload: object): void => {
      if (ended) return;
      const json = toJson(payload);
      if (!isObject(json)) throw new TypeError(`the payload of ${type} must be an object`);
      meter.count(type, json);
      send({
        version: VERSION,
        task_id: taskId,
        timestamp: new Date().toISOString(),
        sequence: sequence++,
        event_type: type,
        payload: fitting(redactor.value(json)),
      });
    };

  return {
    emit: {
      toolCall: emitter("tool_call"),
      llmRequest: emitter("llm_request"),
      reasoning: emitter("reasoning"),
      stateChange: emitter("state_change"),
      artifactCreated: emitter("artifact_created"),
      error: emitter("error"),
      progress: emitter("progress"),
    },
    end() {
      ended = true;
    },
  };
}

/** Size limit of a payload in bytes, which leaves room for the other fields of the message. */
const MAX_PAYLOAD_BYTES = MAX_MESSAGE_BYTES - 4096;

/** Replaces a payload that is too large. Peers refuse larger messages, and leaving the event out would look like a loss. */
function fitting(payload: JsonObject): JsonObject {
  const size = Buffer.byteLength(JSON.stringify(payload));
  return size <= MAX_PAYLOAD_BYTES ? payload : { dropped_bytes: size };
}
