// The plan of a goal that is one capability of one agent.
import type { Json } from "../../core/json.ts";
import type { Plan } from "../../core/plan.ts";
import { shorten } from "../../core/shorten.ts";
import { escapeReferences, escapeText } from "./split-references.ts";

const ID = "task";
const MAX_TITLE_CHARS = 100;

/** Returns a plan of one task, which tells the agent the goal. Goal and input are data: nothing in them is read as a reference. */
export function planOfCapability(capability: string, input: Json | undefined, goal: string): Plan {
  return {
    tasks: [
      {
        id: ID,
        title: escapeText(shorten(goal, MAX_TITLE_CHARS)),
        description: "${goal}",
        capability,
        ...(input !== undefined && { input: escapeReferences(input) }),
      },
    ],
    output: `\${tasks.${ID}.output}`,
  };
}
