// The connection that receives what other processes announce. It is replaced when it breaks, and tried out at the start: behind a pooler that
// shares connections between transactions it would receive nothing, without any error.
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
  /** Called when the connection receives again: what was announced meanwhile is lost. */
  onReconnect: () => void;
}

export interface Listener {
  /** Makes sure that the connection works, and replaces it otherwise. */
  check: () => Promise<void>;
  close: () => Promise<void>;
}

/** Times that the connection is asked before a notification must have arrived, and milliseconds in between. */
const TRIAL_ROUNDS = 20;
const TRIAL_PAUSE_MS = 100;
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
    try {
      await made.query(`listen ${channel}`);
    } catch (error) {
      await made.end().catch(() => undefined);
      throw error;
    }
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

  async function close(): Promise<void> {
    closed = true;
    clearTimeout(retry);
    await client?.end().catch(() => undefined);
  }

  const trial = randomUUID();
  const heard = new Set<string>();
  try {
    await connect((message) => {
      if (message === trial) heard.add(message);
      else onMessage(message);
    });
    await announce(trial);
    // Round trips, not seconds: on a slow machine they take longer, too.
    for (let tries = 0; !heard.has(trial) && tries < TRIAL_ROUNDS; tries++) {
      await client?.query("select 1");
      if (!heard.has(trial)) await new Promise((resolve) => setTimeout(resolve, TRIAL_PAUSE_MS));
    }
  } catch (error) {
    await close();
    throw mapError(error);
  }
  if (!heard.has(trial)) {
    await close();
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
    close,
  };
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
