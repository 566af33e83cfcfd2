// What references in a plan stand for, as far as it is known.
import type { Json, JsonObject } from "../../core/json.ts";

export interface Values {
  goal: string;
  params: JsonObject;
  /** The output of a task that has ended well: of a `foreach`, the list of its items' outputs. Undefined for one that was skipped or failed. */
  outputOf: (task: string) => Json | undefined;
  /** Inside a `foreach`. */
  item?: Json;
  index?: number;
}
