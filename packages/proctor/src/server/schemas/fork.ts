// Forks of runs over HTTP.
import { z } from "zod";
import { MAX_MESSAGE_CHARS } from "../../core/message.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { RunBody } from "./run.ts";

const sequence = z.int().min(0);
const step = z.int().min(0);

export const ForkBody = z
  .strictObject({
    after: sequence
      .optional()
      .describe(
        "Sequence of something that the agent said: the fork knows nothing later. The run's end when neither this nor `step` is given.",
      ),
    step: step
      .optional()
      .describe("A step of a terminal: the fork begins with the files as they were after it."),
    message: boundedText(MAX_MESSAGE_CHARS)
      .optional()
      .describe("What is said next; at a step it takes the place of the task, and may be absent."),
    agent: RunBody.shape.agent.optional(),
    constraints: RunBody.shape.constraints,
  })
  .meta({ id: "ForkRequest" });

const ForkPointDocument = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("message"), sequence: sequence.describe("What to send as `after`.") }),
    z.object({ kind: z.literal("step"), step: step.describe("What to send as `step`.") }),
    z.object({ kind: z.literal("end") }),
  ])
  .meta({
    id: "ForkPoint",
    description:
      "A place of a run from which another can go on: after a message, after a step, or at its end.",
  });

export const ForkPoints = z
  .object({ points: z.array(ForkPointDocument).describe("In order; none while the run has not ended.") })
  .meta({ id: "ForkPoints" });
