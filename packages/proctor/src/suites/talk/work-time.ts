// How long an agent worked in a run, by its log: the time in which it waited for an answer does not count.
import type { RunEvent } from "../../core/event.ts";

export interface WorkTime {
  add(event: RunEvent): void;
  readonly ms: number;
}

export function createWorkTime(): WorkTime {
  const open = new Set<string>();
  let since: number | undefined;
  let ms = 0;

  function stop(at: number): void {
    if (since !== undefined) ms += Math.max(0, at - since);
    since = undefined;
  }

  return {
    add({ type, timestamp, payload }) {
      const at = Date.parse(timestamp);
      switch (type) {
        case "run.started":
          since ??= at;
          break;
        case "run.ended":
          stop(at);
          break;
        case "question.asked":
          if (!payload.question.blocking) break;
          open.add(payload.question.id);
          stop(at);
          break;
        case "question.answered":
        case "question.withdrawn":
        case "question.expired":
          if (open.delete(payload.id) && open.size === 0) since ??= at;
          break;
        default:
      }
    },
    get ms() {
      return ms;
    },
  };
}
