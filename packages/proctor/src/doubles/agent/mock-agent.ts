// A recorded agent for clients of ATP: picks a recording for each task, puts the faults into it and the task's id. How the client
// is reached is serve-http.ts, serve-socket.ts and speak-stdio.ts.
import type { Clock } from "../../core/ports/clock.ts";
import type { RecordedCall, Recording } from "../../core/recording.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { applyFaults } from "./apply-faults.ts";
import type { Fault } from "./fault.ts";
import { perform, type Audience, type Outcome } from "./perform.ts";
import type { AskedTask } from "./read-request.ts";
import { seededRandom } from "./seeded-random.ts";
import { partOf, type Part, type Saying } from "./steps.ts";

export interface NamedRecording {
  /** Name of the file in reports. */
  file: string;
  recording: Recording;
}

interface MockAgentOptions {
  /** The recordings to play; at least one. */
  recordings: readonly NamedRecording[];
  faults: readonly Fault[];
  seed: number;
  /** Factor by which the recording is played faster; 0 for as fast as possible. */
  speed: number;
  clock?: Clock;
  callTool: (
    call: RecordedCall,
    task: { taskId: string; endpoint: string | undefined },
    signal: AbortSignal,
  ) => Promise<void>;
  /** Called when a task is over. */
  onTask: (task: PerformedTask) => void;
}

interface PerformedTask {
  taskId: string;
  description: string;
  file: string;
  outcome: Outcome;
}

export interface MockAgent {
  /** Picks the recording for this task. Recordings take turns, and each task has other random faults. */
  begin(task: AskedTask): Performance;
}

export interface Performance {
  answer: Part["answer"];
  exitCode: number;
  play(say: (saying: Saying) => Promise<boolean>, signal: AbortSignal): Promise<Outcome>;
}

export function createMockAgent(options: MockAgentOptions): MockAgent {
  const { recordings, faults, seed, speed, callTool, onTask, clock = systemClock } = options;
  const parts = recordings.map(({ recording }) => partOf(recording));
  const turns = new Map<string, number>();
  let begun = 0;

  /** Returns the index of the next recording with the same description, or of the next of all when there is none. */
  function pick(description: string): number {
    const all = recordings.map((_one, index) => index);
    const same = all.filter((index) => recordings[index]?.recording.header.task.description === description);
    const candidates = same.length > 0 ? same : all;
    const key = same.length > 0 ? description : "";
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return candidates[turn % candidates.length] ?? 0;
  }

  return {
    begin({ taskId, description, endpoint }) {
      const index = pick(description);
      const { file = "", recording } = recordings[index] ?? {};
      const { steps = [], answer, exitCode = 0 } = parts[index] ?? {};
      const random = seededRandom(seed + begun);
      begun += 1;
      const troubled = applyFaults(steps, faults, random);
      const rename = renamer(recording?.header.run_id ?? "", taskId);
      return {
        // Faults are about messages, and this answer is not one.
        answer: answer && faults.length === 0 ? { ...answer, body: rename(answer.body) } : undefined,
        exitCode,
        async play(say, signal) {
          const audience: Audience = {
            signal,
            say: (saying) => say({ ...saying, text: rename(saying.text) }),
            call: (call) => callTool(call, { taskId, endpoint }, signal),
          };
          const outcome = await perform(troubled, audience, { speed, clock });
          onTask({ taskId, description, file, outcome });
          return outcome;
        },
      };
    },
  };
}

/** Returns a function that replaces the recorded id by the task's wherever it is a `task_id`. */
function renamer(recorded: string, now: string): (text: string) => string {
  const named = new RegExp(`("task_id"\\s*:\\s*)"${recorded.replaceAll(/[^\w-]/g, "\\$&")}"`, "g");
  return (text) => text.replaceAll(named, (_all, key: string) => `${key}${JSON.stringify(now)}`);
}
