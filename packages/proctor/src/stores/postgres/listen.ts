// The connection that hears what other processes announce. It is replaced when it breaks, and tried out at the start: behind a pooler that
// shares connections between transactions it would hear nothing, without any error.
import { randomUUID } from "node:crypto";
import type { Client } from "pg";
import { ProctorError } from "../../core/errors.ts";
import { connectAlone } from "./connect.ts";
import { describeUrl, type ErrorMapper } from "./postgres-errors.ts";

interface ListenOptions {
  url: string;
  channel: string;
  mapError: ErrorMapper;
  /** Announces a message on another connection. */
  announce: (message: string) => Promise<void>;
  onMessage: (message: string) => void;
  /** Called when it hears again: what was announced meanwhile is lost. */
  onReconnect: () => void;
}

export interface Listener {
  /** Makes sure that the connection works, and replaces it otherwise. */
  check: () => Promise<void>;
  close: () => Promise<void>;
}

const TRIAL_MS = 5000;
const CHECK_MS = 5000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 5000;

export async function openListener(options: ListenOptions): Promise<Listener> {
  const { url, channel, mapError, announce, onMessage, onReconnect } = options;
  let client: Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  async function connect(hear: (message: string) => void): Promise<void> {
    const made = await connectAlone(url);
    made.on("notification", ({ payload }) => hear(payload ?? ""));
    made.on("end", () => lost(made));
    made.on("error", () => lost(made));
    await made.query(`listen ${channel}`);
    if (closed) return made.end();
    client = made;
  }

  function lost(which: Client): void {
    if (client !== which) return;
    client = undefined;
    which.end().catch(() => undefined);
    reconnect(FIRST_RETRY_MS);
  }

  function reconnect(delayMs: number): void {
    if (closed) return;
    retry = setTimeout(() => {
      connect(onMessage).then(onReconnect, () => reconnect(Math.min(delayMs * 2, LAST_RETRY_MS)));
    }, delayMs);
    retry.unref();
  }

  const trial = randomUUID();
  let heard = (): void => undefined;
  const isHeard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TRIAL_MS);
    heard = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
  try {
    await connect((message) => (message === trial ? heard() : onMessage(message)));
    await announce(trial);
  } catch (error) {
    heard();
    await end(client);
    throw mapError(error);
  }
  if (!(await isHeard)) {
    closed = true;
    await end(client);
    throw new ProctorError(
      "CONFIG_INVALID",
      `${describeUrl(url)}: this connection does not hear notifications\n` +
        "A pooler that shares connections between transactions stands in front of the database. " +
        "Give Proctor a direct connection, or a pooler in session mode.",
    );
  }

  return {
    async check() {
      const checked = client;
      if (checked === undefined) return;
      // Half of a connection may be gone without either side knowing.
      await withTimeout(checked.query("select 1"), CHECK_MS).catch(() => lost(checked));
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await end(client);
    },
  };
}

async function end(client: Client | undefined): Promise<void> {
  await client?.end().catch(() => undefined);
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
