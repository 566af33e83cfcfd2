import { expect, it } from "vitest";
import type { Job } from "../../../core/ports/driver.ts";
import { createConversation } from "./conversation.ts";

const JOB: Job = {
  runId: "550e8400-e29b-41d4-a716-446655440000",
  spec: { protocol: "atp", transport: "stdio", command: ["agent"] },
  task: { description: "do it" },
  constraints: {},
  context: {},
  metadata: {},
  traceId: "0123456789abcdef0123456789abcdef",
};

it.each([
  [
    '{"result": 42}',
    "NO_RESPONSE",
    "the agent exited without a response: its last line is a JSON object without status",
  ],
  ["done", "NO_RESPONSE", "the agent exited without a response"],
  [
    `{"version":"1.0","task_id":"${JOB.runId}","artifacts":[],"metrics":{}}`,
    "INVALID_RESPONSE",
    "the agent's response cannot be used: response.status is missing",
  ],
])("says of an agent whose last line is %s why that is no response", (text, code, message) => {
  const conversation = createConversation(JOB);
  conversation.hear([
    { kind: "line", stream: "stdout", text, terminated: true, invalidUtf8: false },
    { kind: "exit", code: 0, signal: null, leftover: 0 },
  ]);
  expect(conversation.conclude().at(-1)).toMatchObject({
    kind: "end",
    end: { status: "failed", failure: { code, message } },
  });
});
