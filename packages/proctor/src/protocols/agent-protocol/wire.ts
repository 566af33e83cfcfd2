// The messages of Agent Protocol v1 as schemas: `ap…` as its OpenAPI document has them, `compat…` as we accept them. Unknown
// fields are kept by both.
import { z } from "zod";
import type { Json } from "../../core/json.ts";

/** The path of the protocol below the agent's address. */
export const AP_ROOT = "/ap/v1/agent";

/** Bytes of the largest artifact: a larger one is neither sent nor accepted. */
export const MAX_ARTIFACT_BYTES = 50 * 1024 * 1024;

/** Any JSON value, because messages are parsed from JSON. */
const anyJson = z.custom<Json>(() => true);
const anyObject = z.record(z.string(), anyJson);

export const apArtifact = z.looseObject({
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullish(),
});

const apTaskRequest = z.looseObject({
  input: z.string().nullish(),
  /** The document says object; its own Python server sends null. */
  additional_input: anyObject.nullish(),
});

export const apTask = apTaskRequest.extend({
  task_id: z.string().min(1),
  artifacts: z.array(apArtifact),
});

export const apStep = apTaskRequest.extend({
  task_id: z.string(),
  step_id: z.string().min(1),
  name: z.string().nullish(),
  status: z.enum(["created", "running", "completed"]),
  output: z.string().nullish(),
  additional_output: anyObject.nullish(),
  artifacts: z.array(apArtifact),
  is_last: z.boolean(),
});

const apPagination = z.looseObject({
  total_items: z.int(),
  total_pages: z.int(),
  current_page: z.int(),
  page_size: z.int(),
});

export const apArtifactList = z.looseObject({
  artifacts: z.array(apArtifact),
  pagination: apPagination,
});

/** Servers that count their tasks send numbers. */
const compatId = z.union([z.string().min(1), z.number()]).transform(String);
const lenientObject = anyObject.nullish().catch(undefined);

export const compatTask = z.looseObject({ task_id: compatId });

/** An object counts as a step when it has at least one field that only a step has. */
export const compatStep = z
  .looseObject({
    task_id: compatId.optional().catch(undefined),
    step_id: compatId.optional().catch(undefined),
    name: z.string().nullish().catch(undefined),
    status: z.string().optional().catch(undefined),
    output: anyJson.optional(),
    additional_output: lenientObject,
    artifacts: z.array(anyJson).catch([]),
    is_last: z.boolean().catch(false),
  })
  .refine(({ step_id, status, is_last }) => step_id !== undefined || status !== undefined || is_last, {
    message: "has neither a step_id nor a status",
  });

export type CompatStep = z.infer<typeof compatStep>;

export const compatArtifact = z.looseObject({
  artifact_id: compatId,
  agent_created: z.boolean().optional().catch(undefined),
  file_name: z.string().catch(""),
  relative_path: z.string().nullish().catch(undefined),
});

export type CompatArtifact = z.infer<typeof compatArtifact>;
