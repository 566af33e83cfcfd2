// The exact messages of document 000, as its JSON Schemas print them (the strict profile), and the looser shapes that
// real agents send and we accept (compat). Unknown fields are always kept.
import { z } from "zod";
import { AGENT_EVENT_TYPES } from "../../core/event.ts";
import { TERMINAL_STATUSES } from "../../core/run.ts";

export const ATP_VERSION = "1.0";

const version = z.string();
const uuid = z.guid();
const json = z.json();
const object = z.record(z.string(), json);

export const atpRequest = z.looseObject({
  version: z.string().regex(/^\d+\.\d+$/),
  task_id: uuid,
  task: z.looseObject({
    description: z.string().min(1).max(10_000),
    input_data: object.optional(),
    expected_artifacts: z
      .array(
        z.looseObject({
          type: z.enum(["file", "structured"]).optional(),
          format: z.string().optional(),
          name: z.string().optional(),
        }),
      )
      .optional(),
  }),
  constraints: z
    .looseObject({
      max_steps: z.int().min(1).max(1000).optional(),
      max_tokens: z.int().min(1).max(10_000_000).optional(),
      timeout_seconds: z.int().min(1).max(86_400).optional(),
      allowed_tools: z.array(z.string()).optional(),
      budget_usd: z.number().min(0).optional(),
    })
    .optional(),
  context: z
    .looseObject({
      tools_endpoint: z.url().optional(),
      workspace_path: z.string().optional(),
      environment: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  metadata: object.optional(),
});

const described = {
  content_type: z.string().optional(),
  size_bytes: z.int().optional(),
  content_hash: z.string().optional(),
};

const fileArtifact = z.looseObject({
  type: z.literal("file"),
  path: z.string(),
  ...described,
  content: z.string().optional(),
});
const structuredArtifact = z.looseObject({
  type: z.literal("structured"),
  name: z.string(),
  schema: z.string().optional(),
  data: object,
});
const referenceArtifact = z.looseObject({ type: z.literal("reference"), path: z.string(), ...described });

export const atpArtifact = z.discriminatedUnion("type", [
  fileArtifact,
  structuredArtifact,
  referenceArtifact,
]);

const metrics = z.looseObject({
  total_tokens: z.int().optional(),
  input_tokens: z.int().optional(),
  output_tokens: z.int().optional(),
  total_steps: z.int().optional(),
  tool_calls: z.int().optional(),
  llm_calls: z.int().optional(),
  wall_time_seconds: z.number().optional(),
  cost_usd: z.number().optional(),
});

export const atpResponse = z.looseObject({
  version,
  task_id: uuid,
  status: z.enum(TERMINAL_STATUSES),
  artifacts: z.array(atpArtifact),
  metrics,
  error: z.string().nullable().optional(),
  trace_id: z.string().optional(),
});

export const atpEvent = z.looseObject({
  version,
  task_id: uuid,
  timestamp: z.iso.datetime({ offset: true }),
  sequence: z.int().min(0),
  event_type: z.enum(AGENT_EVENT_TYPES),
  payload: z.looseObject({}),
});

/** What a response must at least be to count as one: the rest may be missing or odd, and is then a violation. */
export const compatResponse = z.looseObject({
  version: version.optional(),
  task_id: z.string().optional(),
  status: z.enum(TERMINAL_STATUSES),
  artifacts: z.array(json).optional(),
  metrics: json.optional(),
  error: z.string().nullable().optional(),
  error_code: z.string().nullable().optional(),
  error_details: json.optional(),
  trace_id: z.string().nullable().optional(),
});

export const compatArtifact = z.discriminatedUnion("type", [
  fileArtifact,
  structuredArtifact.extend({ data: json }),
  referenceArtifact,
]);

export const compatEvent = z.looseObject({
  version: version.optional(),
  task_id: z.string().optional(),
  event_type: z.string(),
  payload: z.looseObject({}).optional(),
});

export type AtpRequest = z.infer<typeof atpRequest>;
export type AtpArtifact = z.infer<typeof atpArtifact>;
export type AtpResponse = z.infer<typeof atpResponse>;
export type AtpEvent = z.infer<typeof atpEvent>;
export type CompatResponse = z.infer<typeof compatResponse>;
export type CompatEvent = z.infer<typeof compatEvent>;
