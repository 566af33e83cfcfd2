// How ATP agents express what the shared cases of drivers need.
import type { ProtocolWords } from "../../../src/protocols/protocol.case.ts";

export const ATP_WORDS: ProtocolWords = {
  request: ({ runId, task, constraints, context, metadata }) => ({
    version: "1.0",
    task_id: runId,
    task,
    constraints,
    context,
    metadata,
  }),
  description: ({ request }) => (request["task"] as { description: string }).description,
  event: ({ request }, sequence, event_type, payload) => ({
    version: "1.0",
    task_id: request["task_id"] ?? null,
    timestamp: new Date().toISOString(),
    sequence,
    event_type,
    payload,
  }),
  response: ({ request }, fields) => ({
    version: "1.0",
    task_id: request["task_id"] ?? null,
    status: "completed",
    artifacts: [],
    metrics: { total_steps: 1 },
    ...fields,
  }),
  unusable: (task) => ({ ...ATP_WORDS.response(task, {}), status: "splendid" }),
  statuses: ["failed", "timeout", "cancelled", "partial"],
  rules: { otherTask: "atp.task_id" },
  hasEnvelope: true,
};
