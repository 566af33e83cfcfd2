// Holds the guide, the reference and the example of mock tools to what they say.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { block, blocks } from "../../../../test/support/markdown.ts";
import type { JsonObject } from "../../../core/json.ts";
import { loadTools } from "../../../suites/load-tools.ts";
import { serveMockTools } from "../../compose/serve-mock-tools.ts";

const root = fileURLToPath(new URL("../../../../../..", import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const guide = read("docs/guides/mock-tools.md");
const reference = read("docs/reference/tools.md");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "proctor-guide-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

type Post = (tool: string, input: unknown) => Promise<JsonObject>;

/** Serves a file while `use` runs. */
async function serve(file: string, use: (endpoint: string, post: Post) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const tools = await loadTools(file);
  let used = Promise.resolve();
  await serveMockTools({
    tools,
    host: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onCall: async () => {},
    onReady({ endpoint }) {
      const post: Post = async (tool, input) => {
        const body = JSON.stringify({ task_id: "1", input });
        return (await (await fetch(`${endpoint}/${tool}`, { method: "POST", body })).json()) as JsonObject;
      };
      used = use(endpoint, post).finally(() => stop.abort());
    },
  });
  await used;
}

async function runAgent(city: string, endpoint: string): Promise<JsonObject> {
  const child = spawn(process.execPath, [write("agent.mjs", block(guide, "js", "// agent.mjs"))]);
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.resume();
  const request = {
    task_id: "1",
    task: { description: `Weather in ${city}` },
    context: { tools_endpoint: endpoint },
  };
  child.stdin.end(JSON.stringify(request));
  await once(child, "close");
  const { artifacts } = JSON.parse(out) as { artifacts: { data: JsonObject }[] };
  return artifacts[0]?.data ?? {};
}

/** The real tool of the guide, on any port. */
async function startWeather(): Promise<{ child: ChildProcess; port: string }> {
  const text = block(guide, "js", "// weather.mjs").replace(
    'listen(9090, "127.0.0.1")',
    'listen(0, "127.0.0.1", function () { console.log(this.address().port); })',
  );
  const child = spawn(process.execPath, [write("weather.mjs", text)]);
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { child, port: port.toString().trim() };
}

describe("the guide to mock tools", () => {
  test("has a mock that answers what the guide prints", async () => {
    await serve(write("tools.yaml", block(guide, "yaml", "# tools.yaml")), async (_endpoint, post) => {
      const answers = [
        await post("weather", { city: "New York" }),
        await post("weather", { city: "New York" }),
      ];
      const shown = guide.split("\n").filter((line) => line.startsWith('{"status"'));
      expect(answers.map((answer) => ({ ...answer, duration_ms: 0 }))).toEqual(
        shown.map((line) => JSON.parse(line) as JsonObject),
      );
    });
  });

  test("has a real tool that its agent records, and replays without the tool", async () => {
    const { child, port } = await startWeather();
    const record = block(guide, "yaml", "# record.yaml").replace("9090", port);
    let recorded: unknown;
    await serve(write("record.yaml", record), async (endpoint) => {
      recorded = (await runAgent("Oslo", endpoint))["output"];
    });
    child.kill();
    expect(recorded).toMatchObject({ city: "Oslo", degrees: expect.any(Number) });
    const line = JSON.parse(readFileSync(join(folder, "weather.jsonl"), "utf8")) as JsonObject;
    const shown = guide.split("\n").find((text) => text.startsWith('{"tool"')) ?? "";
    expect(Object.keys(line)).toEqual(Object.keys(JSON.parse(shown) as JsonObject));

    await serve(write("replay.yaml", block(guide, "yaml", "# replay.yaml")), async (endpoint) => {
      expect((await runAgent("Oslo", endpoint))["output"]).toEqual(recorded);
      const other = await runAgent("Rome", endpoint);
      expect(JSON.stringify(other["error_details"])).toContain(
        JSON.stringify('$.city: recorded with "Oslo", called with "Rome"'),
      );
      expect(guide).toContain('`$.city: recorded with "Oslo", called with "Rome"`');
    });
  });
});

test("the example of mock tools answers what its page says", async () => {
  await serve(join(root, "examples/mock-tools/tools.yaml"), async (_endpoint, post) => {
    const shown =
      read("examples/mock-tools/README.md")
        .split("\n")
        .find((line) => line.startsWith("{")) ?? "";
    const answer = await post("web_search", { query: "Slack competitors" });
    expect({ ...answer, duration_ms: 1 }).toEqual(JSON.parse(shown));
    const shares = { query: "Market share of Slack's rivals".replace("Slack", "chat") };
    expect(await post("web_search", shares)).toMatchObject({ error_code: "RATE_LIMIT" });
    expect(await post("web_search", shares)).toMatchObject({ status: "success" });
    expect(await post("file_write", {})).toMatchObject({ error: '"path" is missing' });
    expect(await post("file_write", { path: "a" })).toMatchObject({ output: { written: true } });
    expect(await post("database_query", {})).toMatchObject({ error: "connection refused" });
  });
});

describe("the reference of mock tools", () => {
  test("has an example that loads", async () => {
    const [text = ""] = blocks(reference, "yaml");
    expect(await loadTools(write("reference.yaml", text))).toMatchObject({ name: "research tools" });
  });

  test.each([
    ["The set", "zzz: 1"],
    ["A tool", "tools: [{name: t, default: {}, zzz: 1}]"],
    ["Responses", "tools: [{name: t, responses: [{then: {}, zzz: 1}]}]"],
    ["Matchers", "tools: [{name: t, responses: [{when: {type: any, zzz: 1}, then: {}}]}]"],
    ["Answers", "tools: [{name: t, default: {zzz: 1}}]"],
    ["Real tools", 'tools: [{name: t, record: {url: "http://a", file: f, zzz: 1}}]'],
    ["MCP servers", "mcp: [{command: x, zzz: 1}]"],
  ])("has every key under %s, and no other", async (heading, text) => {
    const error: unknown = await loadTools(write("wrong.yaml", text)).catch((thrown: unknown) => thrown);
    const [, known = ""] = /known here: (.*)/.exec(String(error)) ?? [];
    const part = reference.split(/^##+ /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
    const table = part.slice(0, part.indexOf("\n\n", part.indexOf("|---")));
    const documented = [...table.matchAll(/^\| `([a-z_]+)`/gm)].map(([, key = ""]) => key);
    expect(documented.sort()).toEqual(known.split(", ").sort());
  });
});
