// Informs other processes that something waits: the first time at once, then with one NOTIFY for all that happened within a few milliseconds.
// Outside the transactions, because a NOTIFY inside makes commits wait for one another.
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { openListener, type QueuePool } from "./open-pool.ts";

/** The content of another process's notice; nothing is known where notices may have been missed. */
export interface Notice {
  /** Milliseconds that the notice was under way. */
  lagMs?: number;
  /** Queues to which jobs have come; any may be meant where it is absent. */
  queues?: readonly string[];
}

export interface Notices {
  /** Informs the other processes that jobs have come to these queues. */
  send(queues: Iterable<string>): void;
  close(): Promise<void>;
}

const CHANNEL = "proctor_work";
const GATHER_MS = 5;
/** Most characters of a notice: PostgreSQL takes 8,000 bytes, and a longer notice names no queues. */
const MAX_CHARS = 2000;
const RECONNECT_MS = 500;

export function openNotices(options: {
  url: string;
  pool: QueuePool;
  /** Returns the time in epoch milliseconds. */
  now: () => number;
  onNotice: (notice?: Notice) => void;
  report: (problem: unknown) => void;
}): Notices {
  const { url, pool, now, onNotice, report } = options;
  /** Id that tells this process's notices from those of others. */
  const sender = randomUUID();
  let closed = false;
  let client: Client | undefined;
  let gathering: NodeJS.Timeout | undefined;
  /** Queues that were not announced since the last notice. */
  const untold = new Set<string>();
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
      // A notice may have been sent while this process did not listen.
      onNotice();
    } catch (problem) {
      report(problem);
      again();
    }
  }

  function hear(payload = ""): void {
    const [sentAt, from, ...names] = payload.split(" ");
    // The sender has informed this process already: a second look would find nothing.
    if (from === sender) return;
    const lag = now() - Number(sentAt);
    // Clocks of machines differ: what seems to come from the future was not late.
    const queues = readQueues(names.join(" "));
    onNotice({
      ...(sentAt !== "" && !Number.isNaN(lag) && { lagMs: Math.max(0, lag) }),
      ...(queues && { queues }),
    });
  }

  function notify(): void {
    const names = JSON.stringify([...untold]);
    untold.clear();
    const message = `${now()} ${sender}${names.length > MAX_CHARS ? "" : ` ${names}`}`;
    // A process that misses the notice finds the jobs at its next look.
    pool.query("select pg_notify($1, $2)", [CHANNEL, message]).catch(() => undefined);
  }

  /** Waits for more queues to announce, and stops once there are none. */
  function gather(): void {
    gathering = setTimeout(() => {
      gathering = undefined;
      if (untold.size === 0) return;
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
    send(queues) {
      if (closed) return;
      for (const queue of queues) untold.add(queue);
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

/** Returns undefined where a notice names none, as that of an older version does. */
function readQueues(text: string): string[] | undefined {
  try {
    const names: unknown = JSON.parse(text);
    return Array.isArray(names) ? names.map(String) : undefined;
  } catch {
    return undefined;
  }
}
