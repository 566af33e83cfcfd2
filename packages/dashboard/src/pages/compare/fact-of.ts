// What an event did, as far as two runs can do the same: all of what was said, asked, answered and produced, however little of it a line shows;
// not who carried the run out, when, or how long it took.
import type { Event } from "../../api/gen/schema.ts";
import { plainText } from "../../components/ansi.ts";
import { describeEvent, record } from "../../components/describe-event.ts";

export function factOf(event: Event): string {
  const { type, payload } = event;
  switch (type) {
    case "run.started":
      return "";
    case "artifact.added": {
      const artifact = record(payload["artifact"]) ?? {};
      const { path, name, content_hash, data, uri } = artifact;
      return JSON.stringify([path ?? name, content_hash, data, uri]);
    }
    case "tool_call":
    case "tool.called":
      return JSON.stringify(["input", "output", "error", "status"].map((field) => payload[field]));
    case "message.added":
      return JSON.stringify(record(payload["message"])?.["parts"]);
    case "reasoning":
      return JSON.stringify([payload["thought"], payload["plan"]]);
    default:
      return plainText(describeEvent(event).text).replace(/ · [\d.]+ (?:ms|s)$/, "");
  }
}

/** Whether two steps differ although their lines say the same. */
export function isHiddenDifference(a: Event | undefined, b: Event | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return describeEvent(a).text === describeEvent(b).text;
}
