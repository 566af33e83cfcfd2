// `proctor mock tools` and `proctor conform` as processes: what they print, what they answer, how they end. The hub's own surfaces
// are held to the rules that agents are held to.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAddress } from "../../src/core/address.ts";
import { tckPack } from "../../src/doubles/scripted/packs/tck.ts";
import { atpConformance } from "../../src/protocols/atp/conform/conformance.ts";
import { startAgent } from "../support/doubles/scripted.ts";
import { fastClock } from "../support/doubles/fast-clock.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { startProgram, type Ended, type StartedProgram } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import {
  MINIMAL_EXAMPLE,
  MOCK_TOOLS_EXAMPLE,
  SDK_EXAMPLE,
  serveAgent,
  type Addresses,
} from "../support/sdk-agent.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("mock-and-conform");

describe("proctor mock tools", () => {
  const start = (...flags: string[]): StartedProgram =>
    startProgram(["mock", "tools", MOCK_TOOLS_EXAMPLE, "--port", "0", ...flags], { folder });

  async function stop(program: StartedProgram): Promise<Ended> {
    program.child.kill("SIGINT");
    return program.ended;
  }

  async function post(url: string, body: object): Promise<{ status: number; said: unknown }> {
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return { status: answer.status, said: await answer.json() };
  }

  it("says where it is, answers both forms of a call, shows each, and counts them after Ctrl-C", async () => {
    const program = start();
    const [, endpoint = ""] = await program.printed(/endpoint {4}(http:\/\/127\.0\.0\.1:\d+\/tools)\n/);
    await program.printed(/Ctrl-C stops it/);
    const input = { query: "Slack competitors" };
    const found = {
      status: 200,
      said: { status: "success", output: { results: [{ title: "Microsoft Teams" }, { title: "Zoom" }] } },
    };
    expect(await post(`${endpoint}/web_search`, { task_id: "1", input })).toMatchObject(found);
    expect(await post(`${endpoint}/call`, { tool: "web_search", task_id: "1", input })).toMatchObject(found);
    expect(await post(`${endpoint}/file_write`, { task_id: "1", input: {} })).toMatchObject({
      status: 200,
      said: { status: "error", error: '"path" is missing', error_code: "TOOL_ERROR" },
    });
    expect(await post(`${endpoint}/web_serach`, { task_id: "1", input })).toMatchObject({
      status: 404,
      said: {
        error_code: "TOOL_NOT_FOUND",
        error_details: { available_tools: ["web_search", "file_write", "database_query"] },
      },
    });
    const calls = await fetch(endpoint.replace(/tools$/, "calls"));
    expect(await calls.json()).toMatchObject({
      total: 4,
      items: [
        { tool: "web_search", input, status: "success" },
        { tool: "web_search", input, status: "success" },
        { tool: "file_write", status: "error", error: '"path" is missing' },
        { tool: "web_serach", error_code: "TOOL_NOT_FOUND", mode: "none" },
      ],
    });

    const ended = await stop(program);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const lines = ended.stdout.split("\n");
    expect(lines[0]).toBe("● research tools is served");
    expect(ended.stdout).toContain("\n  tools       3: web_search, file_write, database_query\n");
    expect(
      lines.filter((line) => /^\d\d:\d\d:\d\d {2}[✓✗]/.test(line)).map((line) => line.slice(10)),
    ).toEqual([
      expect.stringMatching(/^✓ web_search {6}success +\d+ms {2}\{"query":"Slack competitors"\}$/),
      expect.stringMatching(/^✓ web_search {6}success +\d+ms {2}\{"query":"Slack competitors"\}$/),
      expect.stringMatching(/^✗ file_write {6}error +\d+ms {2}\{\} {2}"path" is missing$/),
      expect.stringMatching(/^✗ web_serach {6}error +\d+ms {2}.* {2}Tool 'web_serach' not available$/),
    ]);
    expect(lines.slice(lines.indexOf("4 calls:")).join("\n")).toBe(
      [
        "4 calls:",
        "TOOL            CALLS  ERRORS",
        "web_search          2       0",
        "file_write          1       1",
        "database_query      0       0",
        "web_serach          1       1",
        "",
      ].join("\n"),
    );
  });

  it("prints one line of JSON for each thing with --json", async () => {
    const program = start("--json");
    const [, endpoint = ""] = await program.printed(/"endpoint":"([^"]+)"/);
    await post(`${endpoint}/database_query`, { task_id: "1", input: { sql: "select 1" } });
    const { code, stdout, stderr } = await stop(program);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const documents = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(documents).toMatchObject([
      { type: "ready", endpoint, tools: ["web_search", "file_write", "database_query"] },
      {
        type: "call",
        tool: "database_query",
        input: { sql: "select 1" },
        error: "connection refused",
        http_status: 503,
      },
      { type: "summary", calls: 1 },
    ]);
  });

  it.each<[string, string[], string]>([
    ["a file that is not there", ["none.yaml"], "none.yaml  there is no such file"],
    ["a port that is none", [MOCK_TOOLS_EXAMPLE, "--port", "70000"], "a whole number from 0 to 65535"],
    ["a file that is missing", [], "missing required argument 'file'"],
  ])("refuses %s", async (_what, args, said) => {
    const ended = await runCommand(["mock", "tools", ...args], { folder });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(said);
  });
});

interface Report {
  agent: string;
  transport: string;
  rules: { id: string; outcome: string; reason?: string; evidence?: object }[];
  summary: { passed: number; failed: number; warnings: number; unevaluated: number };
}

const conform = (...args: string[]): Promise<Ended> => runCommand(["conform", ...args], { folder });

async function report(agent: string, ...flags: string[]): Promise<Report & { code: number | null }> {
  const { code, stdout, stderr } = await conform(agent, "--json", ...flags);
  expect(stderr).toBe("");
  return { code, ...(JSON.parse(stdout) as Report) };
}

const idsOf = ({ rules }: Report, outcome: string): string[] =>
  rules.filter((rule) => rule.outcome === outcome).map(({ id }) => id);

describe("proctor conform", () => {
  let addresses: Addresses;
  beforeAll(async () => {
    addresses = await serveAgent(SDK_EXAMPLE);
  });

  it.each([
    ["stdio", 44],
    ["http", 53],
    ["ws", 47],
  ] as const)("finds that the SDK's example keeps every rule over %s", async (transport, rules) => {
    const ended = await conform(addresses[transport], "--strict");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [heading, ...lines] = ended.stdout.split("\n");
    expect(heading).toBe(`conformance of ${addresses[transport]} over ${transport}`);
    expect(lines.filter((line) => line.startsWith("✓ atp."))).toHaveLength(rules);
    expect(ended.stdout).toMatch(new RegExp(`\\n${rules} passed, 0 failed, 0 unevaluated {2}in \\S+\\n$`));
  });

  it("says honestly what the smallest agent does not do, and what to do about it", async () => {
    const ended = await conform(command(MINIMAL_EXAMPLE));
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    const shown = (icon: string): string[] =>
      Array.from(ended.stdout.matchAll(new RegExp(`^${icon} (\\S+)`, "gm")), ([, id = ""]) => id);
    expect(shown("✗")).toEqual([
      "atp.version.major",
      "atp.invalid.json",
      "atp.invalid.empty",
      "atp.invalid.not_object",
      "atp.invalid.missing_task",
      "atp.invalid.missing_description",
      "atp.invalid.types",
      "atp.invalid.range",
    ]);
    expect(shown("○")).toEqual(["atp.error.response", "atp.error.text", "atp.error.code"]);
    expect(ended.stdout).toMatch(
      /^✗ atp\.version\.major +a request of another major version \(2\.0\) is rejected {2}Compatibility Rules\n {4}it was taken: the response has status "completed"\n {4}answer with status failed and INVALID_REQUEST/m,
    );
    expect(ended.stdout).toMatch(/\n33 passed, 8 failed, 2 unevaluated {2}in \S+\n$/);
  });

  it("prints the whole of it as one document with --json, with what was sent and received", async () => {
    const only = ["--only", "atp.version", "--only", "atp.error.code"];
    const found = await report(command(MINIMAL_EXAMPLE), ...only);
    expect(found).toMatchObject({
      code: 1,
      agent: command(MINIMAL_EXAMPLE),
      transport: "stdio",
      rules: [
        { id: "atp.version.minor", outcome: "pass" },
        {
          id: "atp.version.major",
          level: "must",
          section: "Compatibility Rules",
          outcome: "fail",
          evidence: { sent: expect.stringContaining('"2.0"') as string },
        },
        { id: "atp.error.code", outcome: "unevaluated" },
      ],
      summary: { passed: 1, failed: 1, warnings: 0, advice: 0, disputed: 0, unevaluated: 0 },
    });
  });

  it.each<[string, string[], ...string[]]>([
    ["an agent nobody knows", ["wrtier"], 'there is no agent "wrtier"', "proctor agents list"],
    [
      "a rule there is not",
      ["atp+stdio:x", "--only", "atp.evnt"],
      "--only atp.evnt: there is no such rule",
      "did you mean",
    ],
    ["a protocol without rules", ["openai+http://localhost:1/v1#m"], "openai+http"],
    ["no agent at all", [], "the agent is missing"],
  ])("refuses %s", async (_what, args, ...said) => {
    const ended = await conform(...args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    for (const words of said) expect(ended.stderr).toContain(words);
  });
});

describe("the hub's own surface, for an agent that keeps the rules", () => {
  let hub: HubProcess;
  let place: string;
  let grpc: string;
  beforeAll(async () => {
    const env = { PROCTOR_WEBHOOK_HOSTS: "127.0.0.1" };
    hub = await startHubProcess({ folder, env, args: ["--grpc-port", "0"] });
    place = new URL(hub.url).host;
    [, grpc = ""] = /grpc\s+(\S+)/.exec(hub.output()) ?? [];
    // The rules are more than a hundred requests: a program for each would cost more than everything else here.
    await hub.post("/agents", { name: "served", address: (await serveAgent(SDK_EXAMPLE)).http });
  });
  afterAll(async () => {
    expect(await hub.stop()).toBe(0);
  });

  it("keeps every rule over HTTP", async () => {
    const found = await report(`atp+http://${place}/atp/served`, "--strict");
    expect(found.rules.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(found).toMatchObject({ code: 0, summary: { passed: 53 } });
  });

  it("keeps every rule over WebSocket", async () => {
    const found = await report(`atp+ws://${place}/atp/served/ws`, "--strict");
    expect(found.rules.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(found).toMatchObject({ code: 0, summary: { passed: 47 } });
  });

  it("keeps every rule over gRPC that has an occasion there: a bad request is a status, not a response", async () => {
    const found = await report(`atp+${grpc}`, "--strict");
    expect(idsOf(found, "fail")).toEqual([]);
    expect(idsOf(found, "unevaluated")).toEqual(["atp.error.response", "atp.error.text", "atp.error.code"]);
    expect(found).toMatchObject({ code: 3, summary: { passed: 40 } });
  });

  it("keeps every rule of A2A over each of its bindings and versions", async () => {
    const { url } = await startAgent({ script: tckPack(), clock: fastClock });
    await hub.post("/agents", { name: "talker", address: `a2a+${url}` });
    const found = await report(`a2a+http://${place}/a2a/talker`, "--strict");
    expect(found.rules.filter(({ outcome }) => outcome !== "pass")).toEqual([]);
    expect(found).toMatchObject({
      code: 0,
      versions: ["1.0", "0.3"],
      bindings: ["JSONRPC", "HTTP+JSON", "GRPC"],
    });
    expect(found.rules.length).toBeGreaterThan(90);
  });

  it("and the agent behind it is found by its name", async () => {
    await hub.post("/agents", { name: "sdk", address: command(SDK_EXAMPLE) });
    const found = await report("sdk", "--only", "atp.response");
    expect(found).toMatchObject({ code: 0, agent: "sdk", transport: "stdio", summary: { failed: 0 } });
    const tried = atpConformance.rules.filter(({ id }) => id.startsWith("atp.response."));
    expect(idsOf(found, "pass")).toEqual(tried.map(({ id }) => id));
  });
});

function command(file: string): string {
  return formatAddress({ protocol: "atp", transport: "stdio", command: [process.execPath, file] });
}
