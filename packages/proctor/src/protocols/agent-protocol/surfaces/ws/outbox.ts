// Frames on their way to one socket. A reader that falls behind is waited for within a bound; whoever writes to it never waits
// unless they want to.
import type { MessageSocket } from "../../../../core/ports/message-socket.ts";

export interface Outbox {
  /** Sends frames in order. What the socket does not take is kept up to the bound; beyond it `onSlow` is called once and nothing more is kept. */
  post(text: string): void;
  /** Resolves when nothing waits here, or the socket has closed: for those who have much to say and can say it later. */
  room(): Promise<void>;
  /** Forgets what waits. */
  close(): void;
}

interface OutboxOptions {
  /** Characters that may wait for a slow reader. Frames are shared among sockets, so they cost memory once. */
  maxWaitingChars: number;
  onSlow: () => void;
}

/** Handed to the socket at once before it is asked whether it keeps up. */
const BURST_CHARS = 64 * 1024;

export function createOutbox(socket: MessageSocket, { maxWaitingChars, onSlow }: OutboxOptions): Outbox {
  let waiting: string[] = [];
  let waitingChars = 0;
  /** Handed over since the socket last said that it keeps up. */
  let burst = 0;
  let latest: Promise<boolean> | undefined;
  let settling = false;
  let over = false;
  let wakeAll: (() => void)[] = [];

  function hand(text: string): void {
    burst += text.length;
    latest = socket.send(text);
    if (settling) return;
    settling = true;
    void settle();
  }

  /** One promise for all that is handed over within a turn. */
  async function settle(): Promise<void> {
    while (latest !== undefined) {
      const seen = latest;
      if (!(await seen)) {
        close();
        break;
      }
      burst = 0;
      if (latest === seen) latest = undefined;
      flush();
    }
    settling = false;
    wake();
  }

  function flush(): void {
    let sent = 0;
    for (; sent < waiting.length && burst < BURST_CHARS; sent += 1) {
      const text = waiting[sent] ?? "";
      waitingChars -= text.length;
      hand(text);
    }
    if (sent > 0) waiting = waiting.slice(sent);
  }

  function wake(): void {
    const woken = wakeAll;
    wakeAll = [];
    for (const each of woken) each();
  }

  function close(): void {
    over = true;
    waiting = [];
    waitingChars = 0;
    wake();
  }

  void socket.closed.then(close);

  return {
    post(text) {
      if (over) return;
      if (waiting.length === 0 && burst < BURST_CHARS) return hand(text);
      // Checked before it is added: one large frame alone does not make a reader slow.
      if (waitingChars > maxWaitingChars) {
        close();
        onSlow();
        return;
      }
      waiting.push(text);
      waitingChars += text.length;
    },
    async room() {
      if (over || !settling) return;
      await new Promise<void>((resolve) => wakeAll.push(resolve));
    },
    close,
  };
}
