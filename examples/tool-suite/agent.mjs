#!/usr/bin/env node
// An agent that looks something up with a tool, and says what it found.
import { serve } from "@proctor/agent";

await serve(async (task, emit) => {
  const found = await task.tools.call("web_search", { query: task.input.query });
  const titles = found.results.map(({ title }) => title);
  emit.progress({ message: `found ${titles.length}`, percentage: 100 });
  return { titles };
});
