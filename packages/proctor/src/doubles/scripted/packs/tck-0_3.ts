// The behaviours of the A2A TCK for 0.3. Its messages do not say what they want, and most of its tests go on with a task or cancel it: so
// every task stays at work, and a stream of it holds a task, a status and an artifact.
import { createScript, type Script, type ScriptedEvent, type Turn } from "../script.ts";
import { artifact, status, working } from "./events.ts";
import { STREAMING_TIMEOUT_MS, type Pack, type PackOptions } from "./pack.ts";

export function tck03Pack({ streamingTimeoutMs = STREAMING_TIMEOUT_MS }: PackOptions = {}): Pack {
  return {
    rules: [
      {
        when: { messageIdPrefix: "test-resubscribe-message-id" },
        script: always("test-resubscribe-message-id", [
          working,
          status("TASK_STATE_COMPLETED", undefined, 2 * streamingTimeoutMs),
        ]),
        each: "task",
      },
    ],
    fallback: always("stay at work", [working, artifact({ text: "Hello from TCK" })]),
    grpcAsUrl: true,
  };
}

/** Plays the same events for every message of a task. Streams begin with the task, from which alone the kit learns the task's id. */
function always(name: string, events: readonly ScriptedEvent[]): Script {
  const turn: Turn = { events };
  return { ...createScript(name, [turn], { ended: "refuse", opening: "task" }), turn: () => turn };
}
