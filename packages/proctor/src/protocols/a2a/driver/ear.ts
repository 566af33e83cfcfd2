// Listens to one source at a time, and asks for the next thing only when the last was taken.
import type { Bell } from "./bell.ts";
import type { News, Source } from "./sources.ts";

export interface Ear {
  readonly source: Source | undefined;
  /** Leaves the source that was read before, and reads this one. */
  listen(source: Source): void;
  leave(): void;
  /** Returns the next item; after `over` there is no source any more. */
  take(): News | undefined;
  /** Asks for the next item, and rings when it is there. */
  ask(): void;
}

export function createEar(bell: Bell): Ear {
  let source: Source | undefined;
  let asked = false;
  let heard: News | undefined;

  function leave(): void {
    source?.close();
    source = undefined;
    asked = false;
    heard = undefined;
  }

  return {
    get source() {
      return source;
    },
    listen(next) {
      leave();
      source = next;
    },
    leave,
    take() {
      const taken = heard;
      heard = undefined;
      if (taken?.kind === "over") leave();
      return taken;
    },
    ask() {
      const from = source;
      if (from === undefined || asked || heard !== undefined) return;
      asked = true;
      from.next().then(
        (news) => {
          // Items of a source that was left meanwhile are ignored.
          if (from !== source) return;
          asked = false;
          heard = news;
          bell.ring();
        },
        (bug: unknown) => bell.fail(bug),
      );
    },
  };
}
