// The structured output of a run, for the capability that it was to carry out: its last structured artifact, or its last message where
// that is JSON.
import type { EventDraft } from "../core/event.ts";
import type { Json } from "../core/json.ts";
import { jsonIn, outputValue } from "../core/output-value.ts";

export interface RunOutput {
  hear(draft: EventDraft): void;
  /** Returns the output; undefined where there is none. */
  value(): Json | undefined;
}

export function createRunOutput(): RunOutput {
  let data: Json | undefined;
  let said = "";
  return {
    hear(draft) {
      if (draft.type === "artifact.added") {
        const { artifact } = draft.payload;
        if (artifact.type === "structured" && artifact.data !== undefined) data = outputValue(artifact.data);
      } else if (draft.type === "message.added" && draft.payload.message.role === "agent") {
        const { parts } = draft.payload.message;
        said = parts
          .map((part) => ("text" in part && typeof part.text === "string" ? part.text : ""))
          .join("");
      } else if (draft.type === "message.opened") said = "";
      else if (draft.type === "message.extended") said += draft.payload.text;
    },
    value: () => data ?? jsonIn(said),
  };
}
