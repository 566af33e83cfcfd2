import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import { ATP_STAGES } from "./stages.case.ts";

const words: ProtocolWords = {
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
};

for (const stage of ATP_STAGES) describeDriver(stage, words);
