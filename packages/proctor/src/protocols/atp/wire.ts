// The exact messages of document 000, as its JSON Schemas print them (the strict profile). Unknown fields are always
// kept. The looser shapes that we accept are in wire-compat.ts.
import { z } from "zod";
import { AGENT_EVENT_TYPES } from "../../core/event.ts";
import { ATP_STATUSES, dateTime, integer, object, texts, uri, uuid } from "./wire-parts.ts";

export { compatArtifact, compatResponse } from "./wire-compat.ts";
export type { CompatResponse } from "./wire-compat.ts";

export const ATP_VERSION = "1.0";

const expectedArtifact = z.looseObject({
  type: z.enum(["file", "structured"]).optional(),
  format: z.string().optional(),
  name: z.string().optional(),
});

export const atpTask = z.looseObject({
  description: z.string().min(1).max(10_000),
  input_data: object.optional(),
  expected_artifacts: z.array(expectedArtifact).optional(),
});

export const atpConstraints = z.looseObject({
  max_steps: integer(z.number().min(1).max(1000)).optional(),
  max_tokens: integer(z.number().min(1).max(10_000_000)).optional(),
  timeout_seconds: integer(z.number().min(1).max(86_400), { default: 300 }).optional(),
  allowed_tools: z.array(z.string()).optional(),
  budget_usd: z.number().min(0).optional(),
});

export const atpContext = z.looseObject({
  tools_endpoint: uri.optional(),
  workspace_path: z.string().optional(),
  environment: texts.optional(),
});

export const atpRequest = z.looseObject({
  version: z.string().regex(/^\d+\.\d+$/, "must be MAJOR.MINOR"),
  task_id: uuid,
  task: atpTask,
  constraints: atpConstraints.optional(),
  context: atpContext.optional(),
  metadata: object.optional(),
});

const described = {
  content_type: z.string().optional(),
  size_bytes: integer().optional(),
  content_hash: z.string().optional(),
};

export const atpArtifact = z.discriminatedUnion("type", [
  z.looseObject({
    type: z.literal("file"),
    path: z.string(),
    ...described,
    content: z.string().optional(),
  }),
  z.looseObject({
    type: z.literal("structured"),
    name: z.string(),
    schema: z.string().optional(),
    data: object,
  }),
  z.looseObject({ type: z.literal("reference"), path: z.string(), ...described }),
]);

export const atpMetrics = z.looseObject({
  total_tokens: integer().optional(),
  input_tokens: integer().optional(),
  output_tokens: integer().optional(),
  total_steps: integer().optional(),
  tool_calls: integer().optional(),
  llm_calls: integer().optional(),
  wall_time_seconds: z.number().optional(),
  cost_usd: z.number().optional(),
});

export const atpResponse = z.looseObject({
  version: z.string(),
  task_id: uuid,
  status: z.enum(ATP_STATUSES),
  artifacts: z.array(atpArtifact),
  metrics: atpMetrics,
  error: z.string().nullable().optional(),
  trace_id: z.string().optional(),
});

export const atpEvent = z.looseObject({
  version: z.string(),
  task_id: uuid,
  timestamp: dateTime,
  sequence: integer(z.number().min(0)),
  event_type: z.enum(AGENT_EVENT_TYPES),
  payload: object,
});

export type AtpRequest = z.infer<typeof atpRequest>;
export type AtpArtifact = z.infer<typeof atpArtifact>;
export type AtpResponse = z.infer<typeof atpResponse>;
