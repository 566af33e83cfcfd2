// Frames on their way to one socket. A reader that falls behind is waited for within a bound; writers wait only when they ask for
// room.
import type { MessageSocket } from "../../../../core/ports/message-socket.ts";

export interface Outbox {
  /** Sends frames in order. What the socket does not take is kept up to the bound; beyond it `onSlow` is called once and nothing more is kept. */
  post(text: string): void;
  /** Resolves when no frame waits, or the socket has closed; for writers that can send the rest later. */
  room(): Promise<void>;
  /** Forgets the frames that wait. */
  close(): void;
}

interface OutboxOptions {
  /** Characters that may wait for a slow reader. Sockets share frames, so they cost memory once. */
  maxWaitingChars: number;
  onSlow: () => void;
}

/** Characters that are handed to the socket before it must say that it keeps up. */
const BURST_CHARS = 64 * 1024;

export function createOutbox(socket: MessageSocket, { maxWaitingChars, onSlow }: OutboxOptions): Outbox {
  let waiting: string[] = [];
  let waitingChars = 0;
  /** Characters handed over since the socket last said that it keeps up. */
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

  /** Awaits one promise for all frames that are handed over within a turn. */
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
