// What a stream brings, and what sending a message answers: in 0.3 the thing itself with its `kind`, in 1.0 under a name that says it.
import type { JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy, withoutLegacy } from "../legacy.ts";
import { leaveOut, split, type Translation } from "../translating.ts";
import {
  artifactUpdateDown,
  artifactUpdateUp,
  messageDown,
  messageUp,
  statusUpdateDown,
  statusUpdateUp,
  taskDown,
  taskUp,
} from "./messages.ts";
import { eventKind } from "./wire.ts";

type Translate = (value: JsonObject, translation: Translation) => JsonObject;

const EVENTS: readonly { kind: string; name: string; up: Translate; down: Translate }[] = [
  { kind: "task", name: "task", up: taskUp, down: taskDown },
  { kind: "message", name: "message", up: messageUp, down: messageDown },
  { kind: "status-update", name: "statusUpdate", up: statusUpdateUp, down: statusUpdateDown },
  { kind: "artifact-update", name: "artifactUpdate", up: artifactUpdateUp, down: artifactUpdateDown },
];
const NAMES = EVENTS.map(({ name }) => name);

/** Something of a later version is kept unchanged. */
export function eventUp(event: JsonObject, translation: Translation): JsonObject {
  const kind = eventKind(event);
  const known = EVENTS.find((entry) => entry.kind === kind);
  if (known) return { [known.name]: known.up(event, translation) };
  const [fields, open] = split(event, NAMES);
  return withLegacy(open, { fields, form: { kind: "other" } });
}

export function eventDown(event: JsonObject, translation: Translation): JsonObject {
  const { fields, form } = legacyOf(event);
  if (form?.["kind"] === "other") return { ...withoutLegacy(event), ...fields };
  const known = EVENTS.find(({ name }) => event[name] !== undefined);
  if (!known) {
    translation.lose("is nothing that A2A 0.3 knows, and stays as it is");
    return withoutLegacy(event);
  }
  leaveOut(
    event,
    Object.keys(event).filter((name) => name !== known.name),
    translation,
  );
  translation.enter(known.name);
  // The model's type says that it is an object.
  const down = known.down(event[known.name] as JsonObject, translation);
  translation.leave();
  return down;
}
