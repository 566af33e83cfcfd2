// Tells other processes that something waits: the first time at once, then with one NOTIFY for all that happened within a few milliseconds.
// Outside the transactions, because a NOTIFY inside makes commits wait for one another.
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { openListener, type QueuePool } from "./open-pool.ts";

export interface Notices {
  /** Tells the other processes. */
  send(): void;
  close(): Promise<void>;
}

const CHANNEL = "proctor_work";
const GATHER_MS = 5;
const RECONNECT_MS = 500;

export function openNotices(options: {
  url: string;
  pool: QueuePool;
  /** Epoch milliseconds. */
  now: () => number;
  /** Gets how long the notice of another process was under way; nothing where notices may have been missed. */
  onNotice: (lagMs?: number) => void;
  report: (problem: unknown) => void;
}): Notices {
  const { url, pool, now, onNotice, report } = options;
  /** Tells own notices from those of others. */
  const sender = randomUUID();
  let closed = false;
  let client: Client | undefined;
  let gathering: NodeJS.Timeout | undefined;
  /** Whether there is something to tell since the last notice. */
  let isMore = false;
  let reconnecting: NodeJS.Timeout | undefined;
  let connecting = connect();

  async function connect(): Promise<void> {
    try {
      const opened = await openListener(url);
      if (closed) return await opened.end();
      client = opened;
      opened.on("notification", ({ payload }) => hear(payload));
      opened.on("end", () => {
        if (client === opened) client = undefined;
        again();
      });
      await opened.query(`listen ${CHANNEL}`);
      // Something may have been told while nobody listened.
      onNotice();
    } catch (problem) {
      report(problem);
      again();
    }
  }

  function hear(payload = ""): void {
    const [sentAt, from] = payload.split(" ");
    // Who sends has told this process already: a second look would find nothing.
    if (from === sender) return;
    const lag = now() - Number(sentAt);
    // Clocks of machines differ: what seems to come from the future was not late.
    onNotice(sentAt === "" || Number.isNaN(lag) ? undefined : Math.max(0, lag));
  }

  function notify(): void {
    // Whoever is not told finds out at its next look.
    pool.query("select pg_notify($1, $2)", [CHANNEL, `${now()} ${sender}`]).catch(() => undefined);
  }

  /** Waits for more to tell, and stays quiet once there is nothing. */
  function gather(): void {
    isMore = false;
    gathering = setTimeout(() => {
      gathering = undefined;
      if (!isMore) return;
      notify();
      gather();
    }, GATHER_MS);
  }

  function again(): void {
    if (closed) return;
    clearTimeout(reconnecting);
    reconnecting = setTimeout(() => {
      connecting = connect();
    }, RECONNECT_MS);
  }

  return {
    send() {
      if (closed) return;
      isMore = true;
      if (gathering !== undefined) return;
      notify();
      gather();
    },
    async close() {
      closed = true;
      clearTimeout(gathering);
      clearTimeout(reconnecting);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
