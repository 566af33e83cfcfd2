// An agent's event stream, frame by frame. Named frames are taken at their word, others by their shape; the response is the
// last that counts. docs/reference/atp.md, "HTTP".
import { createTextCheck } from "../../../channels/lines/text-check.ts";
import { createSseParser, type SseMessage } from "../../../channels/sse/parse-sse.ts";
import { failure } from "../../../core/failure.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { Dialogue } from "../dialogue.ts";
import type { Door } from "./doors.ts";
import { troubleFailure } from "../../../channels/http/failures.ts";
import type { Hearing } from "./hearing.ts";

const WHERE = "stream";
const NAMES: Record<string, "event" | "response"> = { event: "event", response: "response" };

/** Called with every frame; `lossy` is true when bytes that are not text came with it. */
export type OnFrame = (frame: SseMessage, lossy: boolean) => void;

export function createStreamHearing(dialogue: Dialogue, door: Door, onFrame?: OnFrame): Hearing {
  const parser = createSseParser();
  const isText = createTextCheck();
  let dropped = false;
  let lossy = false;

  function hearFrame(frame: SseMessage): AgentReport[] {
    switch (frame.kind) {
      case "message": {
        if (frame.data.trim() === "") {
          return dialogue.object({ rule: "atp.message", message: "a frame holds nothing", where: WHERE });
        }
        const reports = dialogue.hear(frame.data, NAMES[frame.event]);
        hearing.done = dialogue.answered || (frame.event === "response" && !reports.some(isNews));
        return reports;
      }
      case "oversized":
        // The frame may have been the response; what follows it still counts.
        dropped ||= frame.event !== "event";
        return dialogue.object({
          rule: "line.too_long",
          message: `a frame was longer than ${frame.limitBytes} bytes and was dropped`,
          where: WHERE,
        });
      case "comment":
      case "retry":
        return [];
    }
  }

  /** Reads a whole response in a frame without a blank line after it, which the rules of event streams discard. */
  function hearUnfinished(): AgentReport[] {
    const frame = parser.unfinished().find(({ kind }) => kind === "message");
    if (frame === undefined) return [];
    onFrame?.(frame, lossy);
    const message = "the stream ended without a blank line after its last frame; it was taken";
    return [...dialogue.object({ rule: "atp.frame", message, where: WHERE }), ...hearFrame(frame)];
  }

  const hearing: Hearing & { done: boolean } = {
    done: false,
    take(chunk) {
      const reports: AgentReport[] = [];
      if (!isText(chunk)) {
        lossy = true;
        reports.push(...dialogue.object({ rule: "line.encoding", message: "not valid UTF-8", where: WHERE }));
      }
      for (const frame of parser.push(chunk)) {
        if (frame.kind === "message" || frame.kind === "oversized") {
          onFrame?.(frame, lossy);
          lossy = false;
        }
        for (const report of hearFrame(frame)) reports.push(report);
        if (hearing.done) break;
      }
      return reports;
    },
    finish(trouble) {
      if (trouble) return { reports: [], silence: troubleFailure(trouble, door) };
      const reports = hearing.done ? [] : hearUnfinished();
      const silence = dropped
        ? failure("INVALID_RESPONSE", "the agent's stream ended after a frame that was too long to be read")
        : failure("NO_RESPONSE", "the agent's stream ended without a response");
      return { reports, silence };
    },
  };
  return hearing;
}

/** Returns true for an event that the agent reported, in contrast to what was noticed about the frame. */
function isNews(report: AgentReport): boolean {
  return report.kind === "event" && report.event.type !== "violation" && report.event.type !== "log";
}
