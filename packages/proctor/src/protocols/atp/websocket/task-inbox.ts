// What an agent sent for one task and nobody has read yet. Says when it is full, so that the socket can be held.

export interface TaskInbox {
  put(text: string): void;
  /** Returns undefined while there is room; otherwise a promise that resolves when there is, or when the reader is gone. */
  room(): Promise<void> | undefined;
  /** Called when nothing more will come; what is here can still be taken. */
  end(): void;
  /** Called when the reader is gone. */
  drop(): void;
  /** Resolves with all messages that are here, at least one; undefined after the end. */
  take(): Promise<readonly string[] | undefined>;
}

const MAX_CHARS = 10 * 1024 * 1024;
/** Characters added to each message's text, so that a flood of tiny messages fills it as well. */
const MESSAGE_COST = 64;

export function createTaskInbox(): TaskInbox {
  let texts: string[] = [];
  let chars = 0;
  let ended = false;
  let reader: ((texts: readonly string[] | undefined) => void) | undefined;
  let full: { promise: Promise<void>; resolve: () => void } | undefined;

  function empty(): readonly string[] {
    const taken = texts;
    texts = [];
    chars = 0;
    full?.resolve();
    full = undefined;
    return taken;
  }

  function end(): void {
    ended = true;
    reader?.(undefined);
    reader = undefined;
    full?.resolve();
    full = undefined;
  }

  return {
    put(text) {
      if (ended) return;
      if (reader) {
        reader([text]);
        reader = undefined;
        return;
      }
      texts.push(text);
      chars += text.length + MESSAGE_COST;
    },
    room() {
      if (ended || chars < MAX_CHARS) return undefined;
      if (full === undefined) {
        let resolve = (): void => {};
        const promise = new Promise<void>((done) => (resolve = done));
        full = { promise, resolve };
      }
      return full.promise;
    },
    end,
    drop() {
      empty();
      end();
    },
    take() {
      if (texts.length > 0) return Promise.resolve(empty());
      if (ended) return Promise.resolve(undefined);
      return new Promise((resolve) => (reader = resolve));
    },
  };
}
