#!/usr/bin/env node
// An agent that names a page with the hub's script tool.
import { serve } from "@proctor/agent";

await serve(async (task) => {
  const { slug } = await task.tools.call("slug", { text: task.description });
  return { address: `/pages/${slug}` };
});
