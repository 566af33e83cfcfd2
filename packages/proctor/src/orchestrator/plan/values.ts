// What references in a plan stand for, as far as it is known.
import type { Json, JsonObject } from "../../core/json.ts";

export interface Values {
  goal: string;
  params: JsonObject;
  /** Returns the output of a completed task; for a `foreach`, the list of its items' outputs. Undefined for one that was skipped or failed. */
  outputOf: (task: string) => Json | undefined;
  /** The current item; present only inside a `foreach`. */
  item?: Json;
  index?: number;
}
