// Makes a recorded call of a tool again, at the endpoint of the task that replays it. The answer changes nothing: what the agent
// made of it is recorded. Document 000, "Tool Protocol".
import type { RecordedCall } from "../../../core/recording.ts";
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";

export async function callTool(
  { tool, input, call_id }: RecordedCall,
  { taskId, endpoint }: { taskId: string; endpoint: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  if (endpoint === undefined || !/^https?:/i.test(endpoint) || signal.aborted) return;
  try {
    const response = await fetch(`${withoutTrailingSlashes(endpoint)}/${encodeURIComponent(tool)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ task_id: taskId, tool, input, ...(call_id !== undefined && { call_id }) }),
      redirect: "manual",
      signal,
    });
    await response.body?.cancel();
  } catch {
    // An endpoint that is gone is what the recorded agent would have met as well; its answer is known.
  }
}
