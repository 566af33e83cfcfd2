// Steps as clients tell and read them.
import { z } from "zod";
import { STEP_STATUSES } from "../../core/step.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";
import { JsonRecord, Timestamp } from "./common.ts";
import { RunDocument } from "./run.ts";

const StepDocument = z
  .strictObject({
    id: z.string(),
    index: z.int().min(0),
    owner: z.enum(["client", "executor"]).describe("`executor`: an agent's events say how it goes."),
    name: z.string(),
    status: z.enum(STEP_STATUSES),
    input: z.unknown(),
    output: z.unknown(),
    additional_input: JsonRecord,
    additional_output: JsonRecord,
    is_last: z.boolean(),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
    artifact_ids: z.array(z.string()),
  })
  .meta({ id: "Step", description: "One piece of work inside a run." });

export const StepsDocument = z
  .strictObject({
    run: RunDocument,
    steps: z.array(StepDocument),
    sequence: z.int().min(0).describe("Of the last event that they are computed from."),
  })
  .meta({ id: "Steps" });

const stepId = z.uuid().describe("The client's choice.");
const event = <T extends string, P extends z.ZodType>(type: T, payload: P) =>
  z.strictObject({ type: z.literal(type), payload });

const Draft = z
  .discriminatedUnion("type", [
    event(
      "step.added",
      z.strictObject({
        step_id: stepId,
        name: z.string().max(1000),
        input: z.json(),
        additional_input: JsonRecord,
      }),
    ),
    event(
      "step.changed",
      z.strictObject({
        step_id: z.string().min(1).max(200),
        status: z.enum(STEP_STATUSES).optional(),
        output: z.json().optional(),
        additional_output: JsonRecord.optional(),
        is_last: z.boolean().optional(),
      }),
    ),
    event("run.paused", z.strictObject({})),
    event("run.resumed", z.strictObject({})),
    event(
      "run.ended",
      z.strictObject({
        status: z.enum(TERMINAL_STATUSES),
        failure: z
          .looseObject({ code: z.string(), message: z.string(), details: JsonRecord.optional() })
          .optional(),
        metrics: JsonRecord.optional(),
        extensions: JsonRecord.optional(),
      }),
    ),
  ])
  .meta({ id: "ClientEvent", description: "What the client of a run did." });

export const TellBody = z
  .strictObject({
    events: z.array(Draft).min(1).max(1000),
    expected_sequence: z
      .int()
      .min(0)
      .optional()
      .describe("`sequence` of the steps that the client knows; 409 when something happened since."),
  })
  .meta({ id: "Told" });
