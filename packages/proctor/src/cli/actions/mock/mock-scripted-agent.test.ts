// `proctor mock agent` with scripts, packs and directives, as people and programs use it.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createIo, type IoDouble } from "../../../../test/support/cli/program-double.ts";
import { directive, send03 } from "../../../../test/support/doubles/scripted.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { JsonObject } from "../../../core/json.ts";
import { main } from "../../main.ts";

const DONE = "{kind: task, status: {state: completed, message: {parts: [{kind: text, text: Done.}]}}}";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-mock-scripted-"));
  await writeFile(join(folder, "script.yaml"), `name: Clerk\ndefault: {name: clerk, turns: [[${DONE}]]}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

const ENV = { NO_COLOR: "1" };

async function start(...args: string[]): Promise<{ io: IoDouble; ended: Promise<number>; url: string }> {
  const io = createIo({ cwd: folder, env: ENV });
  const ended = main(["mock", "agent", ...args, "--port", "0"], io);
  const url = await eventually(() => {
    const [, found] = /a2a\+(http:\/\/127\.0\.0\.1:\d+)/.exec(io.out()) ?? [];
    expect(found, io.err()).toBeDefined();
    return found ?? "";
  });
  return { io, ended, url };
}

describe("proctor mock agent with a script", () => {
  test("says where it is, shows each request, logs it, and counts them at the end", async () => {
    const { io, ended, url } = await start("script.yaml", "--log", "calls.jsonl");
    expect(await send03(url, { text: "Hello" })).toMatchObject({
      result: { status: { state: "completed" } },
    });
    const card = (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as JsonObject;
    expect(card["name"]).toBe("Clerk");
    io.interrupt();
    expect(await ended).toBe(0);
    const out = io.out();
    expect(out).toContain("● script.yaml is served");
    for (const address of [
      `a2a+${url}`,
      `atp+${url}`,
      `atp+ws`,
      `${url}/.well-known/agent-card.json`,
      `${url}/__control`,
    ]) {
      expect(out).toContain(address);
    }
    expect(out).toMatch(/\d\d:\d\d:\d\d {2}200 {2}send {14}clerk · turn 0 · 0\.3 JSONRPC\n/);
    expect(out.trimEnd()).toMatch(/2 requests$/);
    const [logged] = (await readFile(join(folder, "calls.jsonl"), "utf8")).split("\n");
    expect(JSON.parse(logged ?? "")).toMatchObject({
      operation: "send",
      status: 200,
      body: { method: "message/send" },
    });
  });

  test("prints lines of JSON for programs", async () => {
    const { io, ended, url } = await start("script.yaml", "--json");
    await send03(url, { text: "Hello" });
    io.interrupt();
    await ended;
    const lines = io
      .out()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as JsonObject);
    expect(lines.map(({ type }) => type)).toEqual(["ready", "request", "summary"]);
    expect(lines[0]).toMatchObject({
      control_url: `${url}/__control`,
      addresses: expect.arrayContaining([`a2a+${url}`]) as unknown,
    });
    expect(lines[2]).toEqual({ type: "summary", requests: 1, refused: 0 });
  });

  test("obeys directives without any file, and shows why it refuses others", async () => {
    const { io, ended, url } = await start();
    expect(
      await send03(url, { text: directive([[{ kind: "task", status: { state: "completed" } }]], "c-1") }),
    ).toHaveProperty("result");
    expect(await send03(url, { text: "no directive" })).toHaveProperty("error");
    io.interrupt();
    await ended;
    expect(io.out()).toContain("c-1 · turn 0");
    expect(io.out()).toContain("no script answers this message");
    expect(io.out().trimEnd()).toMatch(/2 requests, 1 refused$/);
  });

  test("serves a pack, a profile and faults", async () => {
    const { io, ended, url } = await start(
      "--pack",
      "tck",
      "--profile",
      "reduced",
      "--patch",
      "1.0.0",
      "--fault",
      "status:503*1",
      "--seed",
      "3",
    );
    const first = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "message/send",
        params: {
          message: {
            kind: "message",
            role: "user",
            messageId: "tck-complete-task-1",
            parts: [{ kind: "text", text: "x" }],
          },
        },
      }),
    });
    expect(first.status).toBe(503);
    expect(await send03(url, { text: "x", messageId: "tck-complete-task-2" })).toMatchObject({
      result: { status: { state: "completed" } },
    });
    io.interrupt();
    await ended;
    expect(io.out()).toMatch(/503 {2}send .*faults: status/);
  });

  test("speaks ATP on the standard pipes with --stdio", async () => {
    const request = JSON.stringify({ version: "1.0", task_id: "7", task: { description: "Hello" } });
    const io = createIo({ cwd: folder, env: ENV, stdin: `${request}\n` });
    expect(await main(["mock", "agent", "script.yaml", "--stdio"], io)).toBe(0);
    expect(JSON.parse(io.out())).toMatchObject({ task_id: "7", status: "completed" });
    expect(io.err()).toContain('"event_type":"progress"');
  });

  test.each<[string, string[], RegExp]>([
    ["a script that is not there", ["nope.yaml"], /nope\.yaml {2}there is no such file/],
    ["a pack that does not exist", ["--pack", "tkc"], /--pack does not know "tkc".*\n.*did you mean "tck"\?/],
    ["a profile that does not exist", ["--profile", "x"], /there are: main, open, reduced, auth, extension/],
    ["a patch level that does not exist", ["--patch", "1.0.7"], /did you mean "1\.0\.[01]"\?/],
    ["a fault of no kind", ["--fault", "half"], /unknown fault "half"/],
  ])("refuses %s", async (_what, args, message) => {
    const io = createIo({ cwd: folder, env: ENV });
    expect(await main(["mock", "agent", ...args], io)).toBe(2);
    expect(io.err()).toMatch(message);
  });
});

describe("proctor mock agent with a recording of an A2A agent", () => {
  async function proctor(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const io = createIo({ cwd: folder, env: { ...ENV, PATH: process.env["PATH"] ?? "" } });
    const code = await main(args, io);
    return { code, out: io.out(), err: io.err() };
  }

  async function record(agent: string, task: string, file: string): Promise<void> {
    const made = await proctor("run", "-a", agent, "-t", task, "--record", file);
    expect(made).toMatchObject({ code: 0, err: "" });
  }

  test("serves it over A2A, and saves it as a script that is served the same way", async () => {
    const first = await start("script.yaml");
    await record(`a2a+${first.url}`, "Hello", "hello.jsonl");
    await record(`a2a+${first.url}`, "Goodbye", "both/b.jsonl");
    await record(`a2a+${first.url}`, "Hello", "both/a.jsonl");
    first.io.interrupt();
    await first.ended;
    const saved = await proctor("mock", "agent", "hello.jsonl", "--save-script", "hello.yaml");
    expect(saved).toMatchObject({ code: 0, err: "" });
    expect(saved.out).toContain("proctor mock agent hello.yaml");
    expect(await readFile(join(folder, "hello.yaml"), "utf8")).toMatch(/^# From hello\.jsonl\.\ndefault:\n/);
    for (const file of ["hello.jsonl", "hello.yaml"]) {
      const { io, ended, url } = await start(file);
      expect(await send03(url, { text: "Anything" })).toMatchObject({
        result: { status: { state: "completed", message: { parts: [{ text: "Done." }] } } },
      });
      io.interrupt();
      await ended;
    }
    // Of several, each answers its own message.
    const { io, ended, url } = await start("both");
    expect(await send03(url, { text: "Goodbye" })).toMatchObject({
      result: { status: { state: "completed" } },
    });
    expect(await send03(url, { text: "Anything" })).toMatchObject({ error: { code: -32602 } });
    io.interrupt();
    await ended;
  });

  test.each<[what: string, args: string[], why: RegExp]>([
    [
      "over a file that is there",
      ["hello.jsonl", "--save-script", "script.yaml"],
      /EEXIST[^]*does not exist/,
    ],
    ["of what is a script already", ["script.yaml", "--save-script", "x.yaml"], /script\.yaml is none/],
    ["of nothing", ["--save-script", "x.yaml"], /no file is none/],
  ])("saves no script %s", async (_what, args, why) => {
    const { code, err } = await proctor("mock", "agent", ...args);
    expect(code).toBe(2);
    expect(err).toMatch(why);
  });
});
