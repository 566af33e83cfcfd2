// The lock with real processes: held, handed over, left behind by kill -9, and fought for.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { bundleProgram } from "../../test/support/bundle-program.ts";
import { acquireLock, readLock, type Lock } from "./hub-lock.ts";
import { successorOf, type LockDocument } from "./lock-file.ts";
import { ownIdentity } from "../runtime/processes/identity.ts";

let program: string;
let folder: string;
let file: string;
const children: Peer[] = [];
const locks: Lock[] = [];

beforeAll(async () => {
  program = await bundleProgram(fileURLToPath(new URL("../../test/support/lock-peer.ts", import.meta.url)));
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-lock-"));
  file = join(folder, "data", "proctor.lock");
});

afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.kill()));
  for (const lock of locks.splice(0)) await lock.release();
  await rm(folder, { recursive: true, force: true });
});

interface Peer {
  process: ChildProcess;
  /** The next line the process prints. */
  line(): Promise<string>;
  say(word: string): void;
  kill(): Promise<void>;
}

/** A process that takes the lock, publishes and releases when it is told. */
function startPeer(command = "proctor peer"): Peer {
  const args = [program, file, command];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const peer: Peer = {
    process: child,
    line: async () => String((await lines.next()).value),
    say: (word) => child.stdin.write(`${word}\n`),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
  children.push(peer);
  return peer;
}

async function startHolder(): Promise<Peer> {
  const peer = startPeer();
  await peer.line();
  peer.say("take");
  expect(await peer.line()).toBe("taken");
  return peer;
}

async function take(options: Partial<Parameters<typeof acquireLock>[1]> = {}): Promise<Lock> {
  const lock = await acquireLock(file, { command: "proctor test", ...options });
  locks.push(lock);
  return lock;
}

async function abandon(overrides: Partial<LockDocument> = {}, name = file): Promise<string> {
  const document = { id: crypto.randomUUID(), command: "proctor up", url: "http://127.0.0.1:1", token: null };
  const dead = { pid: 2 ** 22 - 1, process_start: "1", started_at: "2026-01-01T00:00:00.000Z" };
  const text = JSON.stringify({ ...document, ...dead, ...overrides });
  await writeFile(name, text);
  return text;
}

test("the lock of a data directory names its holder, readable by the owner only, and is gone after release", async () => {
  const lock = await take();
  await lock.publish({ url: "http://127.0.0.1:3001", token: "secret" });

  const { startTime } = ownIdentity();
  expect(await readLock(file)).toMatchObject({
    pid: process.pid,
    process_start: startTime,
    url: "http://127.0.0.1:3001",
    token: "secret",
    command: "proctor test",
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await lock.release();
  expect(await readdir(join(folder, "data"))).toEqual([]);
});

test("the lock of a data directory is refused while another process holds it, with who, where and what next", async () => {
  const holder = await startHolder();
  holder.say("publish");
  await holder.line();

  const refusal = await take({ waitMs: 60_000 }).catch((error: unknown) => error);

  expect(refusal).toMatchObject({
    code: "DATA_DIR_LOCKED",
    details: { pid: holder.process.pid, command: "proctor peer" },
  });
  const { message } = refusal as Error;
  expect(message).toMatch(
    /in use by `proctor peer` \(pid \d+, since 20.*\)\nit listens on http:\/\/127\.0\.0\.1:4242/,
  );
  expect(message).toContain("--hub http://127.0.0.1:4242");
  expect(JSON.stringify(refusal)).not.toContain("t0ken");
});

test("the lock of a data directory is refused with the advice to use a hub or another database, and never to kill its holder", async () => {
  const holder = await startHolder();

  const refusal = await take({ waitMs: 0 }).catch((error: unknown) => error);

  const { message } = refusal as Error;
  expect(message).toMatch(
    /in use by `proctor peer` \(pid \d+, since 20[^)]*\)\n.*`proctor up`.*\n.*--database file:/,
  );
  expect(message).not.toContain("kill");
  expect(refusal).toMatchObject({ details: { pid: holder.process.pid, url: null } });
});

test("the lock of a data directory is taken over from a holder that was killed with kill -9", async () => {
  const holder = await startHolder();
  await holder.kill();
  expect(await readFile(file, "utf8")).toContain("proctor peer");

  expect(await readLock(file)).toBeUndefined();
  await take();

  expect(await readLock(file)).toMatchObject({ pid: process.pid, url: null });
  expect(await readdir(join(folder, "data"))).toEqual(["proctor.lock"]);
});

test("the lock of a data directory is taken over although another living process has the pid of the dead holder", async () => {
  await (await take()).release();
  await abandon({ pid: process.pid, process_start: "12345" });

  expect(await readLock(file)).toBeUndefined();
  await take();

  expect((await readLock(file))?.process_start).toBe(ownIdentity().startTime);
});

test.each(["", "{", "[]", "null", '{"pid": -1}', "\u0000\u0000"])(
  "the lock of a data directory is taken over when its file is damaged: %j",
  async (text) => {
    await (await take()).release();
    await writeFile(file, text);

    expect(await readLock(file)).toBeUndefined();
    await take();

    expect(await readLock(file)).toMatchObject({ pid: process.pid });
  },
);

test("the lock of a data directory is waited for while its holder is no hub, which is reported once", async () => {
  const holder = await startHolder();
  const waited: number[] = [];
  const waiting = take({
    waitMs: 20_000,
    onWait: ({ pid }) => {
      waited.push(pid);
      holder.say("release");
    },
  });

  await waiting;

  expect(waited).toEqual([holder.process.pid]);
  expect(await readLock(file)).toMatchObject({ pid: process.pid });
});

test("the lock of a data directory is not waited for any longer when its holder becomes a hub, or the caller gives up", async () => {
  const holder = await startHolder();
  const stop = new AbortController();
  await expect(take({ waitMs: 20_000, signal: stop.signal, onWait: () => stop.abort() })).rejects.toThrow(
    /abort/i,
  );

  const waiting = take({ waitMs: 20_000, onWait: () => holder.say("publish") });

  await expect(waiting).rejects.toMatchObject({
    code: "DATA_DIR_LOCKED",
    details: { url: "http://127.0.0.1:4242" },
  });
});

test("the lock of a data directory goes to exactly one of many who take over from a dead holder at once", async () => {
  await (await take()).release();
  for (let round = 0; round < 40; round++) {
    const head = await abandon();
    // Every third time somebody died in the middle of taking over, too.
    if (round % 3 === 0) await abandon({}, successorOf(file, head));

    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => take()));

    const winners = attempts.filter(({ status }) => status === "fulfilled");
    expect(winners).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ code: "DATA_DIR_LOCKED" });
    }
    await locks.pop()?.release();
    expect(await readdir(join(folder, "data"))).toEqual([]);
  }
});

test("the lock of a data directory goes to exactly one of several processes that take over at once, every time", async () => {
  await (await take()).release();
  const peers = Array.from({ length: 3 }, () => startPeer());
  for (const peer of peers) await peer.line();
  for (let round = 0; round < 15; round++) {
    await abandon();
    for (const peer of peers) peer.say("take");
    const answers = await Promise.all(peers.map((peer) => peer.line()));
    expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "DATA_DIR_LOCKED")).toHaveLength(2);
    for (const peer of peers) peer.say("release");
    await Promise.all(peers.map((peer) => peer.line()));
  }
});

test("the lock of a data directory clears away what killed processes left beside it", async () => {
  await (await take()).release();
  for (const name of ["proctor.lock.new-1", "proctor.lock.after-2"]) {
    const path = join(folder, "data", name);
    await writeFile(path, "");
    await utimes(path, new Date(0), new Date(0));
  }
  await writeFile(join(folder, "data", "proctor.db"), "kept");

  await take();

  expect(await readdir(join(folder, "data"))).toEqual(["proctor.db", "proctor.lock"]);
});

test("the lock of a data directory is refused where the directory cannot be written", async () => {
  await writeFile(join(folder, "data"), "a file where the folder should be");

  expect(await readLock(file)).toBeUndefined();
  await expect(take()).rejects.toMatchObject({
    code: "DATA_DIR_UNWRITABLE",
    message: expect.stringContaining("data cannot be written: it is a file, not a directory") as string,
  });
});
