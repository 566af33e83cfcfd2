// The events of a run that have no duration, as events on its span. Their number and size are bounded; what is left out
// is counted.
import type { RunEvent } from "../../core/event.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { amount, attributes, type AttributeRecord, type AttributeValue, count } from "./attributes.ts";
import { EVENT_FIELDS, type EventFields } from "./event-fields.ts";
import type { OtlpSpanEvent } from "./otlp.ts";
import { content, label } from "./text.ts";
import { unixNano } from "./time.ts";

const MAX_EVENTS = 2000;
/** Bytes of one span's events, so that the span fits a request. */
const MAX_BYTES = 1024 * 1024;

export interface RunEvents {
  /** Takes the event when its type is shown on spans. */
  add(event: RunEvent, timeMs: number): void;
  readonly taken: OtlpSpanEvent[];
  readonly dropped: number;
}

export function createRunEvents(withContent: boolean): RunEvents {
  const taken: OtlpSpanEvent[] = [];
  let sizeBytes = 0;
  let chattyBytes = 0;
  let chatty = 0;
  let dropped = 0;
  return {
    taken,
    get dropped() {
      return dropped;
    },
    add(event, timeMs) {
      const fields = EVENT_FIELDS[event.type];
      if (fields === undefined) return;
      const encoded = encodeEvent(event, fields, timeMs, withContent);
      const bytes = Buffer.byteLength(JSON.stringify(encoded));
      const hasRoom = taken.length < MAX_EVENTS && sizeBytes + bytes <= MAX_BYTES;
      const mayTalk =
        fields.chatty === undefined || (chatty < MAX_EVENTS / 2 && chattyBytes + bytes <= MAX_BYTES / 2);
      if (!hasRoom || !mayTalk) {
        dropped++;
        return;
      }
      taken.push(encoded);
      sizeBytes += bytes;
      if (fields.chatty === undefined) return;
      chatty++;
      chattyBytes += bytes;
    },
  };
}

function encodeEvent(
  event: RunEvent,
  fields: EventFields,
  timeMs: number,
  withContent: boolean,
): OtlpSpanEvent {
  const payload = payloadOf(event);
  const record: AttributeRecord = { "proctor.event.sequence": count(event.sequence) };
  const take = (
    names: readonly string[] = [],
    read: (value: unknown) => AttributeValue | undefined,
  ): void => {
    for (const name of names) record[`proctor.${event.type}.${name}`] = read(payload[name]);
  };
  take(fields.labels, label);
  take(fields.counts, count);
  take(fields.amounts, amount);
  take(fields.flags, flag);
  if (withContent) take(fields.content, content);
  return { timeUnixNano: unixNano(timeMs), name: event.type, attributes: attributes(record) };
}

/** Returns the fields to show. What an agent reports may be any JSON where an object belongs. */
function payloadOf({ type, payload }: RunEvent): JsonObject {
  const fields = objectOr(payload);
  switch (type) {
    // These events hold the object that they are about in one field.
    case "artifact.added":
      return objectOr(fields["artifact"]);
    case "question.asked":
      return objectOr(fields["question"]);
    case "question.answered": {
      const { outcome, option, by } = objectOr(fields["answer"]);
      return {
        ...fields,
        ...(outcome !== undefined && { outcome }),
        ...(option !== undefined && { option }),
        by: objectOr(by)["kind"] ?? null,
      };
    }
    default:
      return fields;
  }
}

function objectOr(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}
