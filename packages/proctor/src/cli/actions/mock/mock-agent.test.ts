// `proctor run --record`, `replay+file:` and `proctor mock agent` as people and scripts use them, and as their guide says.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { block } from "../../../../test/support/markdown.ts";
import type { JsonObject } from "../../../core/json.ts";
import { createIo, type IoDouble } from "../../../../test/support/cli/program-double.ts";
import { main } from "../../main.ts";

const guide = fileURLToPath(new URL("../../../../../../docs/guides/record-and-replay.md", import.meta.url));
const ENV = { NO_COLOR: "1", PATH: process.env["PATH"] ?? "", PROCTOR_TOKEN_OF_POET: "hunter2hunter2" };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-record-"));
  await writeFile(join(folder, "poet.mjs"), block(await readFile(guide, "utf8"), "js", "// poet.mjs"));
  await proctor(
    "run",
    "-a",
    "atp+stdio:node poet.mjs",
    "-t",
    "Write a haiku",
    "--record",
    "made/haiku.jsonl",
    "-e",
    "PROCTOR_TOKEN_OF_POET",
  );
});
afterAll(() => rm(folder, { recursive: true }));

async function proctor(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = createIo({ cwd: folder, env: ENV });
  const code = await main(args, io);
  return { code, out: io.out(), err: io.err() };
}

describe("a run with --record", () => {
  test("leaves its recording, without secrets, and makes the folders for it", async () => {
    const text = await readFile(join(folder, "made/haiku.jsonl"), "utf8");
    const lines = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines[0]).toMatchObject({ proctor_recording: 1, protocol: "atp", transport: "stdio" });
    expect(lines.at(-1)).toEqual({ end: { status: "completed", exit_code: 0 } });
    // Which of the two pipes is read first is chance.
    const channels = lines.slice(1, -1).map(({ channel }) => JSON.stringify(channel));
    expect(channels.toSorted()).toEqual(['"stderr"', '"stderr"', '"stdin"', '"stdout"']);
    expect(text).not.toContain("hunter2");
    expect(text).toContain("[redacted:PROCTOR_TOKEN_OF_POET]");
  });

  test("is replayed by its path from the current directory", async () => {
    const { code, out, err } = await proctor(
      "run",
      "-a",
      "replay+file:made/haiku.jsonl",
      "-t",
      "Again",
      "--json",
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({
      status: "completed",
      artifacts: [{ path: "haiku.txt", content: "An old silent pond\n" }],
    });
  });

  test.each(["poet.mjs/haiku.jsonl", "made"])(
    "is not started when its recording cannot be written to %s",
    async (place) => {
      const run = ["run", "-a", "atp+stdio:node poet.mjs", "-t", "x", "--record", place];
      const { code, out, err } = await proctor(...run);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(/--record (poet\.mjs\/haiku\.jsonl|made)/);
    },
  );
});

describe("proctor mock agent", () => {
  interface Started {
    io: IoDouble;
    ended: Promise<number>;
    url: string;
  }

  async function start(...args: string[]): Promise<Started> {
    const io = createIo({ cwd: folder, env: ENV });
    const ended = main(["mock", "agent", "made/haiku.jsonl", "--port", "0", ...args], io);
    let url: string | undefined;
    while (url === undefined) {
      url = /atp\+(http:[^"\s]+)/.exec(io.out())?.[1];
      await Promise.race([new Promise((resolve) => setImmediate(resolve)), ended]);
      if (io.err() !== "") throw new Error(io.err());
    }
    return { io, ended, url };
  }

  const ask = async (url: string): Promise<JsonObject> => {
    const body = JSON.stringify({ version: "1.0", task_id: "1", task: { description: "Write a haiku" } });
    return (await (await fetch(`${url}/execute`, { method: "POST", body })).json()) as JsonObject;
  };

  test("prints its address, shows every task, and ends with 0", async () => {
    const { io, ended, url } = await start();
    expect(await ask(url)).toMatchObject({ task_id: "1", status: "completed" });
    io.interrupt();
    expect(await ended).toBe(0);
    expect(io.out()).toContain("● made/haiku.jsonl is served");
    expect(io.out()).toContain(`atp+${url.replace("http", "ws")}`);
    expect(io.out()).toMatch(/\nanswered {2}Write a haiku · haiku\.jsonl\n/);
    expect(io.out()).toMatch(/\n1 task\n$/);
  });

  test("--json prints one document per line and nothing else", async () => {
    const { io, ended, url } = await start("--json");
    await ask(url);
    io.interrupt();
    expect(await ended).toBe(0);
    const documents = io
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(documents).toEqual([
      {
        type: "ready",
        addresses: [`atp+${url}`, `atp+${url.replace("http", "ws")}`],
        recordings: ["haiku.jsonl"],
      },
      {
        type: "task",
        task_id: "1",
        description: "Write a haiku",
        recording: "haiku.jsonl",
        outcome: "answered",
      },
      { type: "summary", tasks: 1, answered: 1, silent: 0, cut: 0, left: 0 },
    ]);
  });

  test("--stdio speaks on the standard pipes", async () => {
    await putResponseLast(join(folder, "made/haiku.jsonl"));
    const request = JSON.stringify({ task_id: "7", task: { description: "Write a haiku" } });
    const io = createIo({ cwd: folder, env: ENV, stdin: `${request}\n` });
    expect(await main(["mock", "agent", "made/haiku.jsonl", "--stdio", "--fault", "drop:1"], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({ task_id: "7", status: "completed" });
    expect(io.err().trimEnd().split("\n")).toHaveLength(1);
  });

  test.each<[string, string[], RegExp]>([
    ["a file that is not there", ["nope.jsonl"], /nope\.jsonl: there is no such file/],
    ["a folder without recordings", ["."], /holds no recordings, which end in \.jsonl/],
    ["a file that is neither a recording nor a script", ["poet.mjs"], /poet\.mjs:1:1 {2}/],
    ["a misspelt fault", ["made", "--fault", "dorp:1"], /unknown fault "dorp".*\n.*did you mean "drop"\?/],
    ["a fault without its number", ["made", "--fault", "cut"], /write cut:<n>/],
    ["a speed that is not a number", ["made", "--speed", "-1"], /number of at least 0/],
    ["two uses of stdout", ["made", "--stdio", "--json"], /leave out --json/],
  ])("refuses %s with exit code 2", async (_what, args, message) => {
    const { code, out, err } = await proctor("mock", "agent", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
  });
});

/** Faults count messages, and which of two pipes was read first is chance. */
async function putResponseLast(file: string): Promise<void> {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const isResponse = (line: string): boolean => line.includes('"stdout"');
  const end = lines.pop() ?? "";
  const sorted = [...lines.filter((line) => !isResponse(line)), ...lines.filter(isResponse), end];
  await writeFile(file, `${sorted.join("\n")}\n`);
}
