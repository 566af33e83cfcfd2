import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import { ATP_STAGES } from "./stages.case.ts";

const words: ProtocolWords = {
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
  unusable: (task) => ({ ...words.response(task, {}), status: "splendid" }),
  statuses: ["failed", "timeout", "cancelled", "partial"],
  rules: { otherTask: "atp.task_id" },
  hasEnvelope: true,
};

for (const stage of ATP_STAGES) describeDriver(stage, words);
