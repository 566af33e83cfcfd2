// What real ATP agents and platforms send and we accept (the compat profile): a message is refused only where it cannot
// be understood. How it departs from the strict profile is a violation, found by reader.ts and request.ts.
import { z } from "zod";
import type { Json } from "../../core/json.ts";
import { isUuid } from "./formats.ts";
import { ATP_STATUSES, integer, json, object, texts, uri } from "./wire-parts.ts";

/** Characters of a description: later platforms allow ten times the document's 10,000. */
const COMPAT_DESCRIPTION_CHARS = 100_000;

const COMPAT_TASK_ID = /^[A-Za-z0-9_-]{1,128}$/;
const version = z.union([z.string(), z.number().transform(String)]);

const expectedArtifact = z.looseObject({
  type: z.enum(["file", "structured"]).nullish(),
  format: z.string().nullish(),
  name: z.string().nullish(),
});

/** A request in the form in which clients send it. Wrong values are refused: they would reach an agent. */
export const compatRequest = z.looseObject({
  version,
  task_id: z
    .string()
    .refine(
      (id) => isUuid(id) || COMPAT_TASK_ID.test(id),
      "must be a UUID, or 1 to 128 letters, digits, _ and -",
    ),
  task: z.looseObject({
    description: z.string().min(1).max(COMPAT_DESCRIPTION_CHARS),
    input_data: object.nullish(),
    expected_artifacts: z
      .array(
        z.union([z.string(), expectedArtifact], "must be a name or an object with type, format and name"),
      )
      .nullish(),
  }),
  constraints: z
    .looseObject({
      max_steps: integer(z.number().min(1).max(1000)).nullish(),
      max_tokens: integer(z.number().min(1).max(10_000_000)).nullish(),
      timeout_seconds: integer(z.number().min(1).max(86_400)).nullish(),
      allowed_tools: z.array(z.string()).nullish(),
      budget_usd: z.number().min(0).nullish(),
    })
    .nullish(),
  context: z
    .looseObject({
      tools_endpoint: uri.nullish(),
      workspace_path: z.string().nullish(),
      environment: texts.nullish(),
    })
    .nullish(),
  metadata: object.nullish(),
});

/** Returns a schema whose field is left out where it does not fit. */
const odd = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined).optional();
/** Returns a text, or whatever came instead as JSON text. */
const spelled = json
  .nullish()
  .transform((value) => (value == null || typeof value === "string" ? value : JSON.stringify(value)))
  .optional();
const list = json
  .nullish()
  .transform((value): Json[] | undefined => {
    if (value == null) return undefined;
    return Array.isArray(value) ? value : [value];
  })
  .optional();

/** Minimum that counts as a response: the rest may be missing or odd, and is then a violation. */
export const compatResponse = z.looseObject({
  version: odd(version),
  task_id: odd(z.string()),
  status: z.enum(ATP_STATUSES),
  artifacts: list,
  metrics: json.optional(),
  error: spelled,
  error_code: spelled,
  error_details: json.optional(),
  trace_id: json.optional(),
});

const described = {
  content_type: odd(z.string()),
  size_bytes: odd(integer()),
  content_hash: odd(z.string()),
};

export const compatArtifact = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("file"), path: z.string(), ...described, content: spelled }),
  z.looseObject({ type: z.literal("structured"), name: z.string(), schema: odd(z.string()), data: json }),
  z.looseObject({ type: z.literal("reference"), path: z.string(), ...described }),
]);

export const compatEvent = z.looseObject({
  version: odd(version),
  task_id: odd(z.string()),
  event_type: z.string(),
  payload: object.nullish(),
});

export type CompatRequest = z.infer<typeof compatRequest>;
export type CompatResponse = z.infer<typeof compatResponse>;
export type CompatEvent = z.infer<typeof compatEvent>;

export type CompatArtifact = z.output<typeof compatArtifact>;
