// The status of a sub-task by shape, colour and word.
import type { SubtaskStatus } from "../../api/gen/schema.ts";
import { ShapeMark, type Tone } from "../../components/status.tsx";
import { texts } from "../../texts.ts";

type Shape = Parameters<typeof ShapeMark>[0]["shape"];

export const SUBTASK_LOOKS: Record<SubtaskStatus, { tone: Tone; shape: Shape }> = {
  waiting: { tone: "calm", shape: "ring" },
  running: { tone: "busy", shape: "arc" },
  reviewing: { tone: "warn", shape: "diamond" },
  completed: { tone: "good", shape: "check" },
  failed: { tone: "bad", shape: "cross" },
  skipped: { tone: "calm", shape: "slash" },
  cancelled: { tone: "calm", shape: "slash" },
  compensated: { tone: "warn", shape: "half" },
};

export function SubtaskMark({ status, bare = false }: { status: SubtaskStatus; bare?: boolean }) {
  return (
    <ShapeMark {...SUBTASK_LOOKS[status]} bare={bare}>
      {texts.goals.status[status]}
    </ShapeMark>
  );
}
