// Steps as clients report and read them.
import { z } from "zod";
import { STEP_STATUSES } from "../../core/step.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";
import { boundedText } from "../../runtime/schemas/bounded.ts";
import { AnyJson, JsonRecord, Timestamp } from "./common.ts";
import { FailureDocument, RunDocument } from "./run.ts";

const StepStatus = z.enum(STEP_STATUSES).meta({ id: "StepStatus" });
const StepOwner = z
  .enum(["client", "executor"])
  .meta({ id: "StepOwner", description: "`executor`: an agent's events say how it goes." });

const StepDocument = z
  .strictObject({
    id: z.string(),
    index: z.int().min(0),
    owner: StepOwner,
    name: z.string(),
    status: StepStatus,
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

export const StepsPage = z
  .strictObject({
    items: z.array(StepDocument),
    next_cursor: z.string().nullable().describe("Null at the end of the list."),
    run: RunDocument,
    sequence: z.int().min(0).describe("Of the last event that all of this is computed from."),
  })
  .meta({ id: "StepsPage" });

const EndStatus = z.enum(TERMINAL_STATUSES).meta({ id: "EndStatus" });
const stepId = z.uuid().describe("The client's choice.");
/** The schema of a client's event; `name` is `StepAdded` for `step.added`. */
const event = <T extends string, S extends z.ZodRawShape>(name: string, type: T, payload: S) =>
  z
    .strictObject({
      type: z.literal(type),
      payload: z.strictObject(payload).meta({ id: `${name}Payload` }),
    })
    .meta({ id: name });

const Draft = z
  .discriminatedUnion("type", [
    event("StepAdded", "step.added", {
      step_id: stepId,
      name: z.string().max(1000),
      input: AnyJson,
      additional_input: JsonRecord,
    }),
    event("StepChanged", "step.changed", {
      step_id: boundedText(200),
      status: StepStatus.optional(),
      output: AnyJson.optional(),
      additional_output: JsonRecord.optional(),
      is_last: z.boolean().optional(),
    }),
    event("RunPaused", "run.paused", {}),
    event("RunResumed", "run.resumed", {}),
    event("RunEnded", "run.ended", {
      status: EndStatus,
      failure: FailureDocument.optional(),
      metrics: JsonRecord.optional(),
      extensions: JsonRecord.optional(),
    }),
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
