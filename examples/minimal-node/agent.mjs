#!/usr/bin/env node
// A minimal ATP agent: one request line in, events on stderr, one response line out.
import { readFileSync } from "node:fs";

// Not with node:readline: newer versions also break lines at U+2028, which may stand in JSON.
const { task_id, task } = JSON.parse(readFileSync(0, "utf8"));

function emit(sequence, event_type, payload) {
  const timestamp = new Date().toISOString();
  console.error(JSON.stringify({ version: "1.0", task_id, timestamp, sequence, event_type, payload }));
}

emit(0, "progress", { message: "Starting task", percentage: 0 });
const output = `Processed: ${task.description}`;
emit(1, "progress", { message: "Task completed", percentage: 100 });

console.log(
  JSON.stringify({
    version: "1.0",
    task_id,
    status: "completed",
    artifacts: [{ type: "structured", name: "result", data: { output } }],
    metrics: { total_tokens: 0, total_steps: 1, tool_calls: 0, llm_calls: 0 },
  }),
);
process.stdin.destroy();
