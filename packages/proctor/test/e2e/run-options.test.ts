// What `proctor run` gives an agent beside its task, and what it holds it to: tools, workspace, strictness, canary. The same over
// every transport, and the same through a hub.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { atpResponse } from "../../src/protocols/atp/wire.ts";
import { eventually } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { startProgram, type Ended } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { serveAgent, writeAgent, type Addresses } from "../support/sdk-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = temporaryFolder("run-options");
const TOOLS = `name: research tools
tools:
  - name: web_search
    responses:
      - when: { type: contains, field: query, pattern: Slack }
        then: { output: { results: [{ title: Teams }] } }
    default: { output: { results: [] } }
  - name: file_write
    default: { output: written }
`;
const AGENT = `
  const search = (query) => task.tools.call("web_search", { query });
  switch (task.description) {
    case "search": return JSON.stringify(await search("Slack"));
    case "lie":
      await search("Slack");
      return emit.toolCall({ tool: "web_search", input: { query: "never asked" }, output: {}, status: "success" });
    case "tell": return JSON.stringify(await search("my key is " + task.env.PROCTOR_CANARY));
    case "write": {
      const seed = readFileSync(task.workspace + "/seed.txt", "utf8");
      writeFileSync(task.workspace + "/report.md", "# " + seed);
      writeFileSync(task.workspace + "/scratch.tmp", "x");
      return "in " + task.workspace;
    }
  }`;

/** Two folders with the same files: in one of them a hub is up. */
const alone = join(root, "alone");
const besideHub = join(root, "hub");
let addresses: Addresses;
let hub: HubProcess;

beforeAll(async () => {
  for (const folder of [alone, besideHub]) {
    mkdirSync(join(folder, "fixture"), { recursive: true });
    writeFileSync(join(folder, "fixture/seed.txt"), "from the fixture");
    writeFileSync(join(folder, "tools.yaml"), TOOLS);
    writeFileSync(join(folder, "key.yaml"), "tools:\n  - name: web_search\n    responces: []\n");
    writeFileSync(join(folder, "syntax.yaml"), "tools:\n  - name: [web_search\n");
  }
  [addresses, hub] = await Promise.all([
    serveAgent(writeAgent(root, "agent.mjs", AGENT)),
    startHubProcess({ folder: besideHub }),
  ]);
});

afterAll(async () => {
  expect(await hub.stop()).toBe(0);
});

const run = (folder: string, agent: string, task: string, ...flags: string[]): Promise<Ended> =>
  runCommand(["run", "--agent", agent, "--task", task, ...flags], { folder });

const lineWith = ({ stdout }: Ended, text: string): string =>
  stdout.split("\n").find((line) => line.includes(text)) ?? "";

describe.each<["in its own process" | "through a hub", string]>([
  ["in its own process", alone],
  ["through a hub", besideHub],
])("a run %s", (way, folder) => {
  describe.each(["stdio", "http", "ws"] as const)("of an agent over %s", (transport) => {
    const start = (task: string, ...flags: string[]): Promise<Ended> =>
      run(folder, addresses[transport], task, ...flags);

    it("passes when the agent keeps the rules and the canary to itself, and shows each call of its tools", async () => {
      const ended = await start("search", "--tools", "tools.yaml", "--strict", "--canary");
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      expect(lineWith(ended, "⇄ called")).toMatch(
        /⇄ called {5}web_search\(\{"query":"Slack"\}\) · success · \d+ms · mock$/,
      );
      expect(lineWith(ended, "→ tool")).toMatch(
        /web_search\(\{"query":"Slack"\}\) → \{"results":\[\{"title":"Teams"\}\]\}/,
      );
      expect(ended.stdout).toMatch(/\n✓ completed in .*\n {2}used {8}1 step · 1 tool call\n/);
      const byHub = ended.stdout.includes(`:${hub.pid}\n`);
      expect(byHub, "who carried it out").toBe(way === "through a hub");
    });

    it("fails under --strict when the agent reports a call it never made", async () => {
      const ended = await start("lie", "--tools", "tools.yaml", "--strict");
      expect(ended).toMatchObject({ code: 1, stderr: "" });
      const said = "tool.unobserved: a call of web_search was reported and never made";
      expect(lineWith(ended, "! violation")).toContain(said);
      expect(lineWith(ended, "✗ failed ")).toContain(
        `PROTOCOL_VIOLATION: the agent broke its protocol: ${said}`,
      );
      expect(lineWith(ended, "  failure ")).toContain(
        `PROTOCOL_VIOLATION  the agent broke its protocol: ${said}`,
      );
      expect(lineWith(ended, "  violations ")).toContain(
        "tool.unobserved  tool web_search: a call of web_search",
      );
    });

    it("starts with a copy of --workspace, keeps what --collect names, and removes the rest", async () => {
      const ended = await start("write", "--workspace", "fixture", "--collect", "*.md", "--json");
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      const { artifacts } = atpResponse.parse(JSON.parse(ended.stdout));
      expect(artifacts).toMatchObject([
        { type: "structured", name: "result" },
        { type: "file", path: "report.md", content: "# from the fixture", size_bytes: 18 },
      ]);
      expect(artifacts).toHaveLength(2);
      const place = /in (\/[^"]+)/.exec(JSON.stringify(artifacts[0]))?.[1] ?? "";
      expect(place).toMatch(/^\//);
      // A hub removes it right after the run.
      await eventually(() => expect(existsSync(place)).toBe(false));
      expect(readdirSync(join(folder, "fixture"))).toEqual(["seed.txt"]);
    });

    it("fails when the agent gives the canary to a tool, and says where", async () => {
      const ended = await start("tell", "--tools", "tools.yaml", "--canary");
      expect(ended).toMatchObject({ code: 1, stderr: "" });
      expect(lineWith(ended, "  failure ")).toMatch(
        /CANARY_LEAKED {2}the canary turned up in .*a call of the tool web_search/,
      );
      expect(ended.stdout).toContain("my key is [redacted:PROCTOR_CANARY]");
      expect(ended.stdout).not.toMatch(/canary-[\w-]{24}/);
    });
  });

  it("lets its agent use only the tools that --allow-tool names", async () => {
    const flags = ["--tools", "tools.yaml", "--allow-tool", "file_write"];
    const ended = await run(folder, addresses.ws, "search", ...flags);
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    expect(lineWith(ended, "  failure ")).toContain("TOOL_NOT_FOUND");
    expect(ended.stdout).not.toContain("⇄ called");
  });

  it("completes without --strict although a reported call was never made, and shows it", async () => {
    const ended = await run(folder, addresses.stdio, "lie", "--tools", "tools.yaml");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(lineWith(ended, "  violations ")).toContain("tool.unobserved");
  });

  it("leaves its workspace with --keep-workspace and says where", async () => {
    const ended = await run(folder, addresses.stdio, "write", "--workspace", "fixture", "--keep-workspace");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [, place = ""] = /▣ workspace {2}kept: (\/.*)\n/.exec(ended.stdout) ?? [];
    expect(readFileSync(join(place, "report.md"), "utf8")).toBe("# from the fixture");
    expect(readdirSync(place).toSorted()).toEqual(["report.md", "scratch.tmp", "seed.txt"]);
  });
});

it("proctor run leaves nothing open that would keep its process alive", async () => {
  const program = startProgram(
    ["run", "--agent", addresses.stdio, "--task", "search", "--tools", "tools.yaml"],
    {
      folder: alone,
      env: { PROCTOR_DEBUG: "1" },
    },
  );
  const ended = await program.ended;
  expect(ended.stdout).toMatch(/details .*\n/);
  // What keeps it is cut off after a while, and named here.
  expect(ended).toMatchObject({ code: 0, stderr: "" });
});

describe("an agent without an SDK", () => {
  /** Nothing hides what it says, and nothing keeps it from asking. */
  const RAW = `
import { text } from "node:stream/consumers";
const { task_id, task, context } = JSON.parse(await text(process.stdin));
const canary = context.environment?.PROCTOR_CANARY;
let sequence = 0;
const emit = (event_type, payload) => console.error(JSON.stringify(
  { version: "1.0", task_id, timestamp: new Date().toISOString(), sequence: sequence++, event_type, payload }));
const artifacts = [];
if (task.description === "think aloud") emit("reasoning", { thought: Buffer.from(canary).toString("base64") });
if (task.description === "log") console.error("debug: " + canary);
if (task.description === "answer") artifacts.push({ type: "file", path: "answer.txt", content: canary });
if (task.description === "ask") {
  const body = JSON.stringify({ task_id, input: { query: "Slack" } });
  const answer = await fetch(context.tools_endpoint + "/web_search", { method: "POST", body, headers: { "content-type": "application/json" } });
  const { duration_ms, ...said } = await answer.json();
  artifacts.push({ type: "structured", name: "said", data: { ...said, http: answer.status } });
}
console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: {} }));
`;
  const raw = "atp+stdio:node ../raw.mjs";
  beforeAll(() => writeFileSync(join(root, "raw.mjs"), RAW));

  it.each([
    ["think aloud", "a reasoning event"],
    ["log", "its stderr"],
    ["answer", "artifact answer.txt"],
  ])("fails when it leaks the canary, asked to %s", async (task, place) => {
    const ended = await run(alone, raw, task, "--canary");
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    expect(lineWith(ended, "  failure ")).toContain(`CANARY_LEAKED  the canary turned up in ${place}`);
    expect(ended.stdout).not.toMatch(/canary-[\w-]{24}/);
  });

  it("is refused a tool that it may not use, and told which it may", async () => {
    const flags = ["--tools", "tools.yaml", "--allow-tool", "file_write"];
    const seen = await run(alone, raw, "ask", ...flags);
    expect(seen).toMatchObject({ code: 0, stderr: "" });
    expect(lineWith(seen, "⇄ called")).toMatch(
      /web_search\(\{"query":"Slack"\}\) · TOOL_NOT_FOUND: Tool 'web_search' not available · \d+ms$/,
    );
    const told = await run(alone, raw, "ask", ...flags, "--json");
    expect(JSON.parse(told.stdout)).toMatchObject({
      artifacts: [
        {
          data: {
            http: 404,
            error_code: "TOOL_NOT_FOUND",
            error_details: { tool: "web_search", available_tools: ["file_write"] },
          },
        },
      ],
    });
  });
});

describe("proctor run ends with exit code 2 and says what, where and what next, for", () => {
  it.each<[what: string, flags: string[], ...said: string[]]>([
    [
      "a file of tools that is not there",
      ["--tools", "none.yaml"],
      "error: none.yaml  there is no such file",
      "check the path",
    ],
    [
      "a directory instead of a file",
      ["--tools", "fixture"],
      "error: fixture  is a directory, not a file",
      "name the YAML file inside it",
    ],
    [
      "an unknown key",
      ["--tools", "key.yaml"],
      'error: key.yaml:3:5  unknown key "responces"',
      'did you mean "responses"?',
    ],
    ["a file that is not YAML", ["--tools", "syntax.yaml"], "error: syntax.yaml:3:1  Flow sequence"],
    [
      "a workspace that is not there",
      ["--workspace", "none"],
      "error: --workspace none: there is no such directory",
      "name the directory",
    ],
    [
      "a workspace that is a file",
      ["--workspace", "tools.yaml"],
      "error: --workspace tools.yaml is not a directory",
      "name the directory",
    ],
    [
      "a pattern that leads out",
      ["--collect", "../*.md"],
      'error: --collect "../*.md" names nothing in the workspace',
      "for example: --collect '**/*.md'",
    ],
    [
      "a pattern from the root",
      ["--collect", "/etc/*"],
      'error: --collect "/etc/*" names nothing in the workspace',
      "relative to it",
    ],
    ["no pattern", ["--collect", ""], 'error: --collect "" names nothing'],
    [
      "no tool",
      ["--allow-tool", " "],
      "error: --allow-tool names no tool",
      "for example: --allow-tool web_search",
    ],
    ["a misspelt flag", ["--cannary"], "unknown option '--cannary'", "did you mean --canary?"],
    ["a misspelt flag of two words", ["--keep-workspaces"], "did you mean --keep-workspace?"],
  ])("%s", async (_what, flags, ...said) => {
    const ended = await run(alone, "atp+stdio:does-not-matter", "x", ...flags);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    for (const text of said) expect(ended.stderr).toContain(text);
  });

  it("a wrong file through a hub, with --json as one line", async () => {
    const ended = await run(besideHub, "atp+stdio:x", "x", "--tools", "key.yaml", "--json");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(ended.stderr)).toMatchObject({
      code: "SUITE_INVALID",
      details: [{ file: "key.yaml", line: 3, col: 5, message: 'unknown key "responces"' }],
    });
  });
});
