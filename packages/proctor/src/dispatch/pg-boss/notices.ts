// Tells other processes that something waits: one NOTIFY for all that happened within a few milliseconds, outside the transactions,
// because a NOTIFY inside makes commits wait for one another.
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { openListener, type QueuePool } from "./open-pool.ts";

export interface Notices {
  /** Tells everybody, this process included. */
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
  /** Gets how long a notice was under way, where another process sent it. */
  onNotice: (lagMs?: number) => void;
  report: (problem: unknown) => void;
}): Notices {
  const { url, pool, now, onNotice, report } = options;
  /** Tells own notices from those of others. */
  const sender = randomUUID();
  let closed = false;
  let client: Client | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let reconnecting: NodeJS.Timeout | undefined;
  let connecting = connect();

  async function connect(): Promise<void> {
    try {
      const opened = await openListener(url);
      if (closed) return await opened.end();
      client = opened;
      opened.on("notification", ({ payload }) => onNotice(lagOf(payload)));
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

  /** Clocks of machines differ: what seems to come from the future was not late. */
  function lagOf(payload = ""): number | undefined {
    const [sentAt, from] = payload.split(" ");
    const lag = now() - Number(sentAt);
    return from === sender || sentAt === "" || Number.isNaN(lag) ? undefined : Math.max(0, lag);
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
      gathering ??= setTimeout(() => {
        gathering = undefined;
        // Whoever is not told finds out at its next look.
        pool.query("select pg_notify($1, $2)", [CHANNEL, `${now()} ${sender}`]).catch(() => undefined);
      }, GATHER_MS);
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
