// A program of an environment behaves like one of this machine: the same channel, the same promises.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { setImmediate, setTimeout } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import type { EnvironmentProcess, StartOptions } from "../../core/ports/environments.ts";
import { fromChild } from "../../runtime/processes/from-child.ts";
import { openProcess, type ProcessChannel, type ProcessOutput } from "./open-process.ts";
import { readStat } from "../../runtime/processes/proc.ts";
import { eventually } from "../../../test/support/eventually.ts";

const opened: ProcessChannel[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((channel) => channel.kill()));
});

const elsewhere = ({ command, env, cwd }: StartOptions): EnvironmentProcess => {
  const [file = "", ...args] = command;
  const options = {
    detached: true,
    env: { ...env, PATH: process.env["PATH"] ?? "" },
    ...(cwd !== undefined && { cwd }),
  };
  return fromChild(spawn(file, args, options));
};

function open(command: string[], start = elsewhere, cwd?: string): ProcessChannel {
  const channel = openProcess({
    command,
    env: { OWN: "1" },
    spawn: start,
    ...(cwd !== undefined && { cwd }),
  });
  opened.push(channel);
  return channel;
}

const shell = (script: string): ProcessChannel => open(["sh", "-c", script]);

async function collect(channel: ProcessChannel): Promise<ProcessOutput[]> {
  const items: ProcessOutput[] = [];
  for await (const batch of channel) items.push(...batch);
  return items;
}

async function firstLine(channel: ProcessChannel): Promise<string> {
  const { value = [] } = await channel[Symbol.asyncIterator]().next();
  const [item] = value as readonly ProcessOutput[];
  return item?.kind === "line" ? item.text : "";
}

const stateOf = (pid: number): boolean | undefined => readStat(pid)?.ended;
const isGone = (pid: number): boolean => stateOf(pid) ?? true;

const linesOf = (items: readonly ProcessOutput[]): string[] =>
  items.flatMap((item) => (item.kind === "line" ? [item.text] : []));

test("a program in an environment delivers lines, the ends of both pipes and the exit code, in that order", async () => {
  const items = await collect(shell("echo out; echo err >&2; printf tail; exit 7"));
  expect(linesOf(items).sort()).toEqual(["err", "out", "tail"]);
  expect(items.filter(({ kind }) => kind === "closed")).toHaveLength(2);
  expect(items.at(-1)).toEqual({ kind: "exit", code: 7, signal: null, leftover: 0 });
});

test("a program in an environment is given its command, its variables and its directory", async () => {
  const started: StartOptions[] = [];
  const channel = open(
    ["sh", "-c", "pwd; echo $OWN"],
    (options) => {
      started.push(options);
      return elsewhere(options);
    },
    "/usr",
  );
  expect(linesOf(await collect(channel))).toEqual(["/usr", "1"]);
  expect(started).toEqual([{ command: ["sh", "-c", "pwd; echo $OWN"], env: { OWN: "1" }, cwd: "/usr" }]);
});

test("a program in an environment reads what is written, and its end", async () => {
  const channel = open(["cat"]);
  expect(await channel.write("one\ntwo\n")).toBe(true);
  channel.endInput();
  expect(linesOf(await collect(channel))).toEqual(["one", "two"]);
  expect(await channel.write("late")).toBe(false);
});

test("a program in an environment is held back while nobody reads, and loses nothing", async () => {
  const channel = shell("yes 0123456789 | head -n 200000");
  let lines = 0;
  for await (const batch of channel) {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    lines += batch.filter(({ kind }) => kind === "line").length;
  }
  expect(lines).toBe(200_000);
});

test("a program in an environment is paused, and is woken by a signal that asks it to end", async () => {
  const channel = open(["cat"]);
  const iterator = channel[Symbol.asyncIterator]();
  void channel.write("ready\n");
  await iterator.next();
  channel.pause();
  const status = (): string => readFileSync(`/proc/${channel.pid}/status`, "utf8");
  if (process.platform === "linux") await eventually(() => expect(status()).toContain("T (stopped)"));
  channel.signal("SIGTERM");
  let last: ProcessOutput | undefined;
  for (let next = await iterator.next(); next.done !== true; next = await iterator.next())
    last = next.value.at(-1);
  expect(last).toMatchObject({ kind: "exit", code: 143 });
});

test.skipIf(process.platform !== "linux")(
  "a program in an environment dies with everything it started, even what left its group",
  async () => {
    const channel = shell("setsid sleep 1000 & echo $!; sleep 1000");
    const stray = Number(await firstLine(channel));
    await eventually(() => expect(readStat(stray)?.group).toBe(stray));
    await channel.kill();
    await eventually(() => expect(isGone(stray)).toBe(true));
    expect(isGone(channel.pid ?? 0)).toBe(true);
  },
);

test("a program in an environment leaves nothing of its group behind when it ends by itself", async () => {
  const items = await collect(shell("sleep 1000 >/dev/null 2>&1 & echo $!"));
  const [left = ""] = linesOf(items);
  await eventually(() => expect(isGone(Number(left))).toBe(true));
});

test("a program in an environment is killed when its reader leaves", async () => {
  const channel = shell("echo ready; sleep 1000");
  for await (const _ of channel) break;
  expect(isGone(channel.pid ?? 0)).toBe(true);
});

test("a program in an environment says on stderr why it cannot be started", async () => {
  const items = await collect(open(["/nonexistent/agent"]));
  expect(linesOf(items).join()).toContain("/nonexistent/agent");
  expect(items.at(-1)).toMatchObject({ kind: "exit", code: 127 });
});

test("an environment that cannot start anything is a program that was not started", async () => {
  const broken = (): never => {
    throw new Error("the environment is gone");
  };
  const message = `"sh" could not be started: the environment is gone`;
  expect(await collect(open(["sh"], broken))).toEqual([{ kind: "not-started", reason: "other", message }]);
});

test("a program in an environment that does not die is given up", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const stream = (): PassThrough => new PassThrough();
    const channel = open(["x"], () => ({
      pid: undefined,
      stdin: stream(),
      stdout: stream(),
      stderr: stream(),
      exited: new Promise(() => {}),
      signal() {},
      signalChildren: () => Promise.reject(new Error("nobody there")),
    }));
    const killed = channel.kill();
    await vi.advanceTimersByTimeAsync(6000);
    await killed;
    expect((await collect(channel)).at(-1)).toEqual({ kind: "exit", code: null, signal: null, leftover: 0 });
  } finally {
    vi.useRealTimers();
    await setTimeout(0);
  }
});
