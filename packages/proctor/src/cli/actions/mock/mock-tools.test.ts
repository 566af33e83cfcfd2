// `proctor mock tools` as people and scripts use it: the action on a real socket.
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../core/json.ts";
import {
  describeMockRefusals,
  startMock,
  type StartedMock,
} from "../../../../test/support/cli/mock-command.ts";
import type { IoOptions } from "../../../../test/support/cli/program-double.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = temporaryFolder("mock-tools");
writeFileSync(
  join(folder, "tools.yaml"),
  `name: demo
tools:
  - name: web_search
    responses:
      - when: {type: contains, field: query, pattern: Slack}
        then: {output: {hits: 3}}
    default: {error: nothing found}
  - {name: clock, default: {output: noon}}
`,
);

const COMMAND = { kind: "tools", file: "tools.yaml", address: /http:\S+?\/tools(?=["\s])/ } as const;

interface Started extends StartedMock {
  endpoint: string;
  call: (tool: string, input: unknown) => Promise<JsonObject>;
}

async function start(args: string[] = [], options: IoOptions = {}): Promise<Started> {
  const started = await startMock(COMMAND, args, { cwd: folder, ...options });
  const { address: endpoint } = started;
  return {
    ...started,
    endpoint,
    async call(tool, input) {
      const body = JSON.stringify({ task_id: "t", input });
      return (await (await fetch(`${endpoint}/${tool}`, { method: "POST", body })).json()) as JsonObject;
    },
  };
}

describe("proctor mock tools for people", () => {
  test("prints its address, shows every call, counts them, and ends with 0", async () => {
    const { io, ended, endpoint, call } = await start();
    expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tools$/);
    expect(await call("web_search", { query: "Slack" })).toMatchObject({
      status: "success",
      output: { hits: 3 },
    });
    await call("web_search", { query: "\u001b[31mTeams" });
    await call("nothing", {});
    const generic = { method: "POST", body: '{"tool":"clock","input":{}}' };
    expect(await (await fetch(`${endpoint}/call`, generic)).json()).toMatchObject({ output: "noon" });
    io.interrupt();

    expect(await ended).toBe(0);
    const lines = io.out().split("\n");
    expect(lines[0]).toBe("● demo is served");
    expect(io.out()).toContain("2: web_search, clock");
    expect(lines.filter((line) => /^\d\d:\d\d:\d\d {2}/.test(line))).toEqual([
      expect.stringMatching(/✓ web_search {4}success +[\d.]+m?s {2}\{"query":"Slack"\}$/),
      expect.stringMatching(/✗ web_search {4}error +[\d.]+m?s {2}\{"query":".*Teams"\} {2}nothing found$/),
      expect.stringMatching(/✗ nothing +error +[\d.]+m?s {2}\{\} {2}Tool 'nothing' not available$/),
      expect.stringMatching(/✓ clock +success +[\d.]+m?s {2}\{\}$/),
    ]);
    expect(io.out()).not.toContain("\u001b");
    expect(io.out()).toMatch(
      /\n4 calls:\nTOOL +CALLS +ERRORS\nweb_search +2 +1\nclock +1 +0\nnothing +1 +1\n$/,
    );
  });

  test("cuts lines to the width of the terminal", async () => {
    const { io, ended, call } = await start([], { columns: 60 });
    await call("clock", { long: "x".repeat(500) });
    io.interrupt();
    await ended;
    const line = io
      .out()
      .split("\n")
      .find((text) => text.includes("✓ clock"));
    expect(line).toHaveLength(60);
    expect(line).toMatch(/…$/);
  });
});

test("proctor mock tools --json prints one document per line and nothing else", async () => {
  const { io, ended, endpoint, call } = await start(["--json"]);
  await call("clock", { a: 1 });
  io.interrupt();
  expect(await ended).toBe(0);
  expect(io.err()).toBe("");
  const documents = io
    .out()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);
  expect(documents).toMatchObject([
    {
      type: "ready",
      endpoint,
      calls_url: endpoint.replace(/tools$/, "calls"),
      tools: ["web_search", "clock"],
    },
    { type: "call", tool: "clock", input: { a: 1 }, status: "success", output: "noon", mode: "mock" },
    {
      type: "summary",
      calls: 1,
      tools: [
        { name: "web_search", calls: 0, errors: 0 },
        { name: "clock", calls: 1, errors: 0 },
      ],
    },
  ]);
});

test("proctor mock tools has written a call to --log when it is answered, and shows it over HTTP", async () => {
  const { io, ended, endpoint, call } = await start(["--log", "calls.jsonl"]);
  await Promise.all(Array.from({ length: 5 }, (_, n) => call("clock", { n })));
  const written = (await readFile(join(folder, "calls.jsonl"), "utf8")).trimEnd().split("\n");
  expect(written.map((line) => (JSON.parse(line) as JsonObject)["tool"])).toEqual(Array(5).fill("clock"));
  const calls = await fetch(endpoint.replace(/tools$/, "calls"));
  expect(await calls.json()).toMatchObject({
    total: 5,
    next_cursor: null,
    items: Array.from({ length: 5 }, () => ({ tool: "clock", time: expect.stringMatching(/^20.*Z$/) })),
  });
  const listed = (await (await fetch(endpoint)).json()) as { tools: unknown[] };
  expect(listed.tools).toHaveLength(2);
  io.interrupt();
  await ended;
  await expect(fetch(endpoint)).rejects.toThrow();
});

test("proctor mock tools refuses calls that a web page makes through a browser", async () => {
  const { io, ended, endpoint } = await start();
  const headers = { origin: "https://evil.example" };
  const response = await fetch(`${endpoint}/clock`, { method: "POST", body: "{}", headers });
  expect(response.status).toBe(403);
  io.interrupt();
  await ended;
  expect(io.out()).not.toContain("✓ clock");
});

test("proctor mock tools has a secret in an address that other machines reach", async () => {
  const { io, ended, endpoint, call } = await start(["--host", "0.0.0.0"]);
  expect(endpoint).toMatch(/^http:\/\/0\.0\.0\.0:\d+\/[A-Za-z0-9_-]{32}\/tools$/);
  expect(await call("clock", {})).toMatchObject({ output: "noon" });
  const { origin } = new URL(endpoint);
  for (const path of ["/tools/clock", "/calls", `/${"A".repeat(32)}/calls`]) {
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  }
  io.interrupt();
  await ended;
});

describeMockRefusals(COMMAND, { folder, mistake: "tolls" });
