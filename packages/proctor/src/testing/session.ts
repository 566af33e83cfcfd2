// The hub that tests run on: the one that PROCTOR_URL names, or one in this process on a folder that goes with it.
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { composition, type HubSession } from "../cli/compose/compose.ts";

let opened: Promise<HubSession> | undefined;
let users = 0;
/** Resolves when every session that was closed so far is gone. */
let closed: Promise<unknown> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;

/** Milliseconds after the last run at which the hub is closed, so that it does not keep a program from ending. */
const IDLE_MS = 2000;

/** All callers in this process share one session, opened when it is first needed. */
export async function useSession<T>(use: (session: HubSession) => Promise<T>): Promise<T> {
  clearTimeout(idle);
  users += 1;
  try {
    return await use(await openSession());
  } finally {
    users -= 1;
    if (users === 0) idle = setTimeout(() => void closeSession(), IDLE_MS).unref();
  }
}

/** Closes the session, and waits for one that is closing already. */
export async function closeSession(): Promise<void> {
  clearTimeout(idle);
  const closing = opened?.then(
    (session) => session.close(),
    // The error was thrown to the caller that opened the session.
    () => undefined,
  );
  opened = undefined;
  closed = Promise.allSettled([closed, closing]);
  await closed;
  await closing;
}

function openSession(): Promise<HubSession> {
  const pending = (opened ??= open());
  // The next caller may try again.
  pending.catch(() => {
    if (opened === pending) opened = undefined;
  });
  return pending;
}

async function open(): Promise<HubSession> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-testing-"));
  // A process that ends without closing it leaves nothing behind either.
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const release = onEnd(remove);
  const flags = {
    databaseUrl: `file:${join(folder, "proctor.db")}`,
    artifactsDir: join(folder, "artifacts"),
  };
  try {
    // Not the program's own folder: its proctor.yaml is about its hub, not about tests.
    const config = await composition.loadConfig({ cwd: folder, env: process.env, flags });
    const hub = await composition.openHub(config, "write");
    const close = async (): Promise<void> => {
      await hub.close();
      await rm(folder, { recursive: true, force: true });
      // Not before: the process may end while the folder is being removed.
      release();
    };
    return { ...hub, config, composition, close };
  } catch (error) {
    release();
    remove();
    throw error;
  }
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Closes the session when a test runner ends its worker with a signal. Returns a function that undoes this. */
function onEnd(remove: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    void closeSession().finally(() => {
      // If nothing else handles the signal, it ends the process as it would have done.
      if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
    });
  };
  process.once("exit", remove);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  return () => {
    process.off("exit", remove);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
