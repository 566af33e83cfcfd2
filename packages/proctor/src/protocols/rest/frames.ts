// The frames of a stream: server-sent events, or lines.
import { createLineSplitter, type Line } from "../../channels/lines/split-lines.ts";
import { createSseParser, type SseMessage } from "../../channels/sse/parse-sse.ts";
import type { RestOptions } from "./options.ts";

export type Frame = { kind: "frame"; data: string; event?: string } | { kind: "oversized" };

export interface Frames {
  /** Returns the frames that this chunk finished. */
  push(chunk: Buffer): Frame[];
  /** Returns the frame that the end of the stream finished, if any. */
  end(): Frame[];
}

export function createFrames(stream: NonNullable<RestOptions["stream"]>): Frames {
  if (stream === "sse") {
    const parser = createSseParser();
    return {
      push: (chunk) => parser.push(chunk).flatMap(frameOfMessage),
      end: () => parser.unfinished().flatMap(frameOfMessage),
    };
  }
  const splitter = createLineSplitter();
  return {
    push: (chunk) => splitter.push(chunk).flatMap(frameOfLine),
    end: () => splitter.end().flatMap(frameOfLine),
  };
}

function frameOfMessage(message: SseMessage): Frame[] {
  if (message.kind === "oversized") return [{ kind: "oversized" }];
  return message.kind === "message" ? [{ kind: "frame", data: message.data, event: message.event }] : [];
}

function frameOfLine(line: Line): Frame[] {
  if (line.kind === "overlong") return [{ kind: "oversized" }];
  return line.text.trim() === "" ? [] : [{ kind: "frame", data: line.text }];
}
