// Rules about the events of a plain, valid request. An agent that sends none gives no occasion.
import { AGENT_EVENT_TYPES, type AgentEventType } from "../../../../core/event.ts";
import { isJsonObject, type JsonObject } from "../../../../core/json.ts";
import { isDateTime, isSameTask } from "../../formats.ts";
import { sortPayload } from "../../payloads.ts";
import { judge, showValue, unevaluated } from "../../../../conformance/finding.ts";
import type { Check } from "../finding.ts";
import { versionProblem } from "./response.ts";

type Look = (
  event: JsonObject,
  index: number,
  before: JsonObject | undefined,
  taskId: unknown,
) => string | undefined;

/** Makes a check that looks at the events one by one. */
function onEvents(look: Look): Check {
  return async (trial) => {
    const basic = await trial.basic();
    const { events, taskId } = basic;
    if (events.length === 0) return unevaluated("it sent no events", basic);
    return judge(
      basic,
      events.map((event, index) => look(event, index, events[index - 1], taskId)),
    );
  };
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  version: isText,
  task_id: isText,
  timestamp: isText,
  sequence: (value) => typeof value === "number",
  event_type: isText,
  payload: isJsonObject,
};

export const EVENT_CHECKS = {
  "atp.event.fields": onEvents((event, index) => {
    const wrong = Object.keys(TYPES).find((field) => TYPES[field]?.(event[field]) !== true);
    return wrong === undefined ? undefined : `event ${index}: ${wrong} is ${showValue(event[wrong])}`;
  }),
  "atp.event.version": onEvents(({ version }, index) => versionProblem(version, `event ${index}: version`)),
  "atp.event.task_id": onEvents(({ task_id: id }, index, _, taskId) =>
    isSameTask(id, taskId)
      ? undefined
      : `event ${index}: task_id is ${showValue(id)}, the request had ${showValue(taskId)}`,
  ),
  "atp.event.timestamp": onEvents(({ timestamp }, index) =>
    isText(timestamp) && isDateTime(timestamp)
      ? undefined
      : `event ${index}: timestamp is ${showValue(timestamp)}`,
  ),
  "atp.event.sequence": onEvents(({ sequence }, index, before) => {
    if (!Number.isInteger(sequence) || Number(sequence) < 0) {
      return `event ${index}: sequence is ${showValue(sequence)}`;
    }
    const previous = before?.["sequence"];
    const grows = typeof previous !== "number" || Number(sequence) > previous;
    return grows
      ? undefined
      : `event ${index}: sequence is ${showValue(sequence)} after ${showValue(previous)}`;
  }),
  "atp.event.gapless": onEvents(({ sequence }, index) =>
    sequence === index ? undefined : `event ${index}: sequence is ${showValue(sequence)}`,
  ),
  "atp.event.type": onEvents(({ event_type: type }, index) =>
    isKnown(type) ? undefined : `event ${index}: event_type is ${showValue(type)}`,
  ),
  "atp.event.payload": onEvents(({ event_type: type, payload }, index) => {
    if (!isKnown(type) || !isJsonObject(payload)) return undefined;
    const [problem] = sortPayload(type, payload).violations;
    return problem && `event ${index}, a ${type}: payload.${problem.message}`;
  }),
} satisfies Record<string, Check>;

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isKnown(type: unknown): type is AgentEventType {
  return (AGENT_EVENT_TYPES as readonly unknown[]).includes(type);
}
