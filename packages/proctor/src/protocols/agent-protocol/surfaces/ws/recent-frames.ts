// The last frames of a task, for clients that come back after a short absence; after a network failure many come at once.
import type { Frame } from "./feed.ts";

interface RecentFrames {
  /** Adds the frame that follows the last. */
  add(frame: Frame): void;
  /** Returns all frames with a larger `seq`; undefined when some of them are gone. */
  after(seq: number): readonly Frame[] | undefined;
  all(): readonly Frame[];
}

const MAX_FRAMES = 512;
const MAX_CHARS = 128 * 1024;

export function createRecentFrames(): RecentFrames {
  let frames: Frame[] = [];
  let chars = 0;

  /** Called rarely and drops half of the frames, so that it costs next to nothing. */
  function trim(): void {
    let dropped = 0;
    for (const { text } of frames) {
      if (frames.length - dropped <= MAX_FRAMES && chars <= MAX_CHARS) break;
      chars -= text.length;
      dropped += 1;
    }
    frames = frames.slice(dropped);
  }

  return {
    add(frame) {
      frames.push(frame);
      chars += frame.text.length;
      if (frames.length >= 2 * MAX_FRAMES || chars >= 2 * MAX_CHARS) trim();
    },
    after(seq) {
      const [first] = frames;
      return first === undefined || seq < first.seq - 1 ? undefined : frames.slice(seq + 1 - first.seq);
    },
    all: () => frames,
  };
}
