import type { Environment } from "../../core/ports/environments.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { describeDriver, type ProtocolWords } from "../protocol.case.ts";
import type { Stage } from "../../../test/support/protocols/puppet.ts";
import { ATP_STAGES, stdioStage } from "../../../test/support/atp/stages.ts";

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

/** Of an environment, a driver uses this alone. */
const start: Environment["start"] = ({ command, env = {} }) => startHere({ command, env: { ...env } });

const environmentStage: Stage = {
  ...stdioStage,
  name: "stdio in an environment",
  raise: async (play) => ({ ...(await stdioStage.raise(play)), environment: { start } as Environment }),
};

for (const stage of [...ATP_STAGES, environmentStage]) describeDriver(stage, words);
