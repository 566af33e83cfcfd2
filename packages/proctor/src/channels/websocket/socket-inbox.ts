// Messages that came and were not yet read, for one reader. Stops the socket while too much of it waits here, so that the
// peer is held back.

export interface SocketInbox {
  put(text: string): void;
  /** Called when nothing more will come; what is here can still be read. */
  end(): void;
  readonly messages: AsyncIterable<string>;
}

/** How the inbox holds the peer back. */
export interface SocketFlow {
  pause(): void;
  resume(): void;
}

const READ_AHEAD_CHARS = 256 * 1024;
/** Characters counted for each message in addition to its text, so that a flood of empty messages is held back as well. */
const MESSAGE_COST = 64;

const DONE = { done: true, value: undefined } as const;

export function createSocketInbox(flow: SocketFlow): SocketInbox {
  let queue: string[] = [];
  let next = 0;
  let waitingChars = 0;
  let paused = false;
  let ended = false;
  let reader: ((result: IteratorResult<string, undefined>) => void) | undefined;

  function take(): string | undefined {
    const text = queue[next];
    if (text === undefined) return undefined;
    next += 1;
    waitingChars -= text.length + MESSAGE_COST;
    if (next === queue.length) {
      queue = [];
      next = 0;
    }
    if (paused && waitingChars < READ_AHEAD_CHARS / 2) {
      paused = false;
      flow.resume();
    }
    return text;
  }

  const iterator: AsyncIterator<string, undefined> = {
    next() {
      const text = take();
      if (text !== undefined) return Promise.resolve({ done: false, value: text });
      if (ended) return Promise.resolve(DONE);
      return new Promise((resolve) => (reader = resolve));
    },
  };

  return {
    put(text) {
      if (reader) {
        const resolve = reader;
        reader = undefined;
        resolve({ done: false, value: text });
        return;
      }
      queue.push(text);
      waitingChars += text.length + MESSAGE_COST;
      if (!paused && waitingChars >= READ_AHEAD_CHARS) {
        paused = true;
        flow.pause();
      }
    },
    end() {
      ended = true;
      reader?.(DONE);
      reader = undefined;
    },
    // One reader at a time; a later one goes on where the earlier stopped.
    messages: { [Symbol.asyncIterator]: () => iterator },
  };
}
