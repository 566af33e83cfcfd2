#!/usr/bin/env node
// An agent in ten lines. npx proctor run --agent "atp+stdio:node examples/sdk-typescript/agent.mjs" --task "Say hello"
import { serve } from "@proctor/agent";

await serve(async (task, emit) => {
  emit.progress({ message: "Starting task", percentage: 0 });
  const output = `Processed: ${task.description}`;
  emit.progress({ message: "Task completed", percentage: 100 });
  return { output };
});
