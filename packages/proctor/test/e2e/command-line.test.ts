// The built program as users and scripts meet it: what it prints, where, and with which exit code.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findMarked } from "../../src/runtime/processes/strays.ts";
import { formatAddress } from "../../src/core/address.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { atpResponse, type AtpResponse } from "../../src/protocols/atp/wire.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { startProgram, type Ended, type ProgramOptions } from "../support/program.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture, shellFixture } from "../support/test-hub.ts";
import { parseXml, type XmlElement } from "../support/xml.ts";
import { eventually } from "../support/eventually.ts";

const root = temporaryFolder("command");
const ESCAPE = "\u001b";

const address = (name: string, ...args: string[]): string =>
  formatAddress(name === "ok" || name === "pausable" ? shellFixture(name, ...args) : fixture(name, ...args));

/** A folder of its own for each test, so that each has its own database. */
function folderOf(name: string, files: Record<string, string> = {}): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return folder;
}

const proctor = (
  folder: string,
  args: readonly string[],
  options: Partial<ProgramOptions> = {},
): Promise<Ended> => runCommand(args, { folder, ...options });

function suite(agent: string, ...assertions: string[]): string {
  return [
    `test_suite: 'Smoke <politely> & "loudly"'`,
    'version: "1.0"',
    `agents: [{ name: it, address: ${JSON.stringify(agent)} }]`,
    "tests:",
    "  - id: greets",
    "    name: Greets",
    "    task: { description: Say hello }",
    `    assertions: [${assertions.join(", ")}]`,
    "",
  ].join("\n");
}

const PASSES = "{ type: contains, config: { pattern: Say hello } }";
const FAILS = "{ type: contains, config: { pattern: Goodbye } }";

describe("proctor ends with exit code 2 and says what, where and what next, for", () => {
  const folder = folderOf("wrong", {
    "syntax.yaml": "test_suite: s\ntests:\n  - id: [a\n",
    "key.yaml": suite("atp+stdio:x", PASSES).replace("    assertions:", "    asertions:"),
    "agent-key.yaml": suite("atp+stdio:x", PASSES).replace("address:", "adress:"),
    "twice.yaml": suite("atp+stdio:x", PASSES).replace(
      "agents: [",
      "agents: [{ name: it, address: atp+stdio:y }, ",
    ),
    "good.yaml": suite("atp+stdio:x", PASSES),
    "list.json": "[1]",
    "wrong.yaml": "agnets: []\n",
  });
  const run = ["run", "--agent", "atp+stdio:x", "--task", "x"];

  it.each<[what: string, args: string[], ...said: (string | RegExp)[]]>([
    ["an unknown flag", ["run", "--agnet", "x"], "unknown option '--agnet'", "did you mean --agent?"],
    ["an unknown command", ["rnu"], "unknown command 'rnu'", "did you mean run?"],
    ["a missing flag", ["run", "--agent", "x"], "--task <text> is missing", "for example: proctor run"],
    ["a missing suite", ["test", "none.yaml"], "none.yaml  there is no such file"],
    ["a YAML syntax error", ["test", "syntax.yaml"], /syntax\.yaml:[34]:\d+ {2}\w/],
    [
      "an unknown key",
      ["test", "key.yaml"],
      'key.yaml:8:5  unknown key "asertions"',
      'did you mean "assertions"?',
    ],
    [
      "a misspelt address",
      ["validate", "agent-key.yaml"],
      /agent-key\.yaml:3:22 .*"adress"/,
      'mean "address"?',
    ],
    [
      "an agent that is there twice",
      ["validate", "twice.yaml"],
      /twice\.yaml:3:\d+ {2}agent "it" is here twice/,
    ],
    [
      "a protocol nobody speaks",
      ["run", "--agent", "smtp+stdio:x", "--task", "x"],
      "smtp+stdio",
      "supported: atp",
    ],
    ["a transport alone", ["run", "--agent", "http://x", "--task", "x"], "put the agent's protocol in front"],
    [
      "an unknown agent",
      ["run", "--agent", "writer", "--task", "x"],
      'no agent "writer"',
      "proctor agents list",
    ],
    [
      "a variable that is not set",
      [...run, "--env", "NOT_SET_1"],
      "--env NOT_SET_1: the variable is not set",
    ],
    [
      "a timeout that is not a number",
      [...run, "--timeout", "soon"],
      "--timeout <seconds>",
      "'soon' is invalid",
    ],
    ["a timeout of nothing", [...run, "--timeout", "0"], "a whole number of at least 1"],
    ["input that is not an object", [...run, "--input", "list.json"], "list.json holds an array"],
    ["input that is not there", [...run, "--input", "none.json"], "--input none.json: there is no such file"],
    ["a port out of range", ["up", "--port", "70000"], "--port", "from 0 to 65535"],
    [
      "an unknown key in the configuration",
      ["runs", "list", "--config", "wrong.yaml"],
      "wrong.yaml:1:1",
      '"agents"',
    ],
    ["an unknown reporter", ["test", "good.yaml", "--reporter", "junti"], "did you mean junit?"],
    [
      "a hub that is not there",
      ["runs", "list", "--hub", "http://127.0.0.1:9"],
      "http://127.0.0.1:9",
      "proctor up",
    ],
    ["an unknown run", ["runs", "show", "nope"], 'there is no run "nope"'],
  ])("%s", async (_, args, ...said) => {
    const ended = await proctor(folder, args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    for (const text of said)
      expect(ended.stderr).toMatch(text instanceof RegExp ? text : new RegExp(literal(text)));
    expect(ended.stderr).not.toMatch(/\n\s+at |INTERNAL_ERROR/);
  });

  it("a wrong suite as JSON where --json is given", async () => {
    const ended = await proctor(folder, ["validate", "key.yaml", "--json"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(ended.stderr)).toMatchObject({ code: "SUITE_INVALID" });
  });
});

describe("the built proctor run", () => {
  it("fails and says why when its agent cannot be started", async () => {
    const folder = folderOf("cannot-start", { "plain.txt": "hello\n" });
    chmodSync(join(folder, "plain.txt"), 0o644);
    const missing = await proctor(folder, ["run", "--agent", "atp+stdio:no-such-program", "--task", "x"]);
    expect(missing.code).toBe(1);
    expect(missing.stdout).toMatch(/AGENT_NOT_STARTED.*"no-such-program" was not found/);
    const plain = await proctor(folder, ["run", "--agent", "atp+stdio:./plain.txt", "--task", "x"]);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toMatch(/AGENT_NOT_STARTED.*"\.\/plain\.txt" is not a file that may be executed/);
  });

  it("prints plain lines into a pipe, and colours where they are forced", async () => {
    const folder = folderOf("plain");
    const args = ["run", "--agent", address("ok"), "--task", "Say hello"];
    const plain = await proctor(folder, args, { env: { NO_COLOR: "", TERM: "xterm-256color" } });
    expect(plain).toMatchObject({ code: 0, stderr: "" });
    expect(plain.stdout).not.toContain(ESCAPE);
    expect(plain.stdout).toMatch(/Starting task[^]*Task completed[^]*✓ completed/);
    const coloured = await proctor(folder, args, { env: { NO_COLOR: "", FORCE_COLOR: "1" } });
    expect(coloured.stdout).toContain(`${ESCAPE}[`);
  });

  it.each([
    ["completed", "ok", 0],
    ["completed", "file-artifact", 0],
    ["partial", "partial", 1],
    ["failed", "fails", 1],
    ["failed", "crash", 1],
  ])("--json prints exactly the ATP response: %s (%s)", async (status, agent, code) => {
    const ended = await proctor(folderOf("json"), [
      "run",
      "--agent",
      address(agent),
      "--task",
      "x",
      "--json",
    ]);
    expect(ended).toMatchObject({ code, stderr: "" });
    const response = responseOf(ended);
    expect(response.status).toBe(status);
    if (status === "failed") expect(response.error).toMatch(/\w/);
    if (agent === "file-artifact") {
      expect(response.artifacts).toMatchObject([{ type: "file", content: "# Report\n\nx – done ✓\n" }]);
    }
  });

  it("reads its input from stdin and passes secrets on without showing them", async () => {
    const secret = "sk-0123456789-abcdef";
    const args = [
      "run",
      "--agent",
      address("leaks-secret"),
      "--task",
      "x",
      "--input",
      "-",
      "--env",
      "API_KEY",
    ];
    const ended = await proctor(folderOf("input"), args, { input: '{"rows":[1]}', env: { API_KEY: secret } });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("[redacted:API_KEY]");
    expect(ended.stdout + ended.stderr).not.toContain(secret);
  });

  it("ends at its time limit", async () => {
    const args = ["run", "--agent", address("sleeps"), "--task", "x", "--timeout", "1", "--json"];
    const ended = await proctor(folderOf("timeout"), args);
    expect(ended.code).toBe(1);
    expect(responseOf(ended)).toMatchObject({ status: "timeout", error_code: "TIMEOUT" });
  });

  it("is cancelled by Ctrl-C: exit code 130, the run is closed and its agent gone", async () => {
    const folder = folderOf("interrupt");
    const program = startProgram(["run", "--agent", address("sleeps"), "--task", "x"], { folder });
    const [, id = ""] = await program.printed(/run (\S+) on[^]*going to sleep/);
    expect(findMarked("PROCTOR_RUN_ID", id)).not.toEqual([]);
    program.child.kill("SIGINT");
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toMatch(/cancelled/);
    expect(findMarked("PROCTOR_RUN_ID", id)).toEqual([]);
    const shown = await proctor(folder, ["runs", "show", id, "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "cancelled", failure: { code: "CANCELLED" } });
  });

  it("ends at once at the second Ctrl-C, and its agent with it", async () => {
    const args = ["run", "--agent", address("ignores-sigterm"), "--task", "x"];
    // The grace would last until the test gives up.
    const env = { PROCTOR_GRACE_SECONDS: "3600" };
    const program = startProgram(args, { folder: folderOf("impatient"), env });
    const [, id = ""] = await program.printed(/run (\S+) on[^]*I will not stop/);
    // Presses that follow at once count as one: npm passes each on a second time.
    const pressing = setInterval(() => program.child.kill("SIGINT"), 100);
    expect((await program.ended).code).toBe(130);
    clearInterval(pressing);
    await eventually(() => expect(findMarked("PROCTOR_RUN_ID", id)).toEqual([]));
  });

  it("names the command that is at work in the directory, and what to do, instead of waiting", async () => {
    const folder = folderOf("busy");
    const first = startProgram(["run", "--agent", address("sleeps"), "--task", "x"], { folder });
    await first.printed(/going to sleep/);

    const second = await proctor(folder, ["run", "--agent", address("ok"), "--task", "x"]);

    expect(second).toMatchObject({ code: 2, stdout: "" });
    expect(second.stderr).toMatch(
      /is in use by `proctor run` \(pid \d+, since 20\S+\) \[DATA_DIR_LOCKED\]\n.*`proctor up`.*\n.*--database/,
    );
    expect(second.stderr).not.toContain("kill");
    first.child.kill("SIGINT");
    expect((await first.ended).code).toBe(130);
  });

  it("can be followed from another terminal to its end", async () => {
    const folder = folderOf("followed");
    const program = startProgram(["run", "--agent", address("pausable", "60"), "--task", "x"], { folder });
    const [, id = ""] = await program.printed(/run (\S+) on[^]*tick 1\b/);
    const follow = await proctor(folder, ["runs", "events", id, "--follow", "--json"]);
    expect(follow).toMatchObject({ code: 0, stderr: "" });
    const events = follow.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    expect(events.at(-1)?.type).toBe("run.ended");
    expect((await program.ended).code).toBe(0);
  });
});

describe("the built proctor test", () => {
  const good = suite(address("ok"), PASSES, "{ type: no_errors }");
  const folder = folderOf("suites", {
    "good.yaml": good,
    "bad.yaml": suite(address("ok"), PASSES, FAILS),
    "unsure.yaml": suite(address("no-content"), PASSES),
    "unspoken.yaml": suite("smtp+stdio:x", PASSES),
    "broken.yaml": suite(address("crash"), PASSES),
  });

  it("ends with 0 when everything passed, 1 when something failed", async () => {
    const passed = await proctor(folder, ["test", "good.yaml"]);
    expect(passed).toMatchObject({ code: 0, stderr: "" });
    expect(passed.stdout).toMatch(/1 passed/);
    const failed = await proctor(folder, ["test", "bad.yaml"]);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/1 failed/);
    expect((await proctor(folder, ["test", "broken.yaml"])).code).toBe(1);
  });

  it("ends with 3 when nothing failed and something could not be evaluated", async () => {
    const ended = await proctor(folder, ["test", "good.yaml", "unsure.yaml"]);
    expect(ended).toMatchObject({ code: 3, stderr: "" });
    expect(ended.stdout).toMatch(/did not send its content[^]*1 passed, 0 failed, 1 unevaluated/);
  });

  it("ends with 2 before anything runs when no protocol speaks to an agent", async () => {
    const declared = await proctor(folder, ["test", "good.yaml", "unspoken.yaml"]);
    expect(declared).toMatchObject({ code: 2, stdout: "" });
    expect(declared.stderr).toMatch(/unspoken\.yaml:\d+:\d+ {2}no protocol speaks "smtp\+stdio"/);
    const typed = await proctor(folder, ["test", "good.yaml", "--agent", "smtp+grpc://127.0.0.1:1"]);
    expect(typed).toMatchObject({ code: 2, stdout: "" });
    expect(typed.stderr).toMatch(/no protocol speaks "smtp\+grpc"/);
    const unknown = await proctor(folder, ["test", "good.yaml", "--agent", "nobody"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/there is no agent "nobody"/);
  });

  it("writes a JUnit file that is XML, with the same verdicts", async () => {
    const args = [
      "test",
      "good.yaml",
      "bad.yaml",
      "--reporter",
      "console",
      "--reporter",
      "junit=out/report.xml",
    ];
    const ended = await proctor(folder, args);
    expect(ended.code).toBe(1);
    const report = parseXml(readFileSync(join(folder, "out/report.xml"), "utf8"));
    expect(report).toMatchObject({ name: "testsuites", attributes: { tests: "2", failures: "1" } });
    const cases = report.children.flatMap((element: XmlElement) => element.children);
    expect(cases.map(({ attributes }) => attributes)).toMatchObject([
      { classname: 'Smoke <politely> & "loudly"', name: "greets [it]" },
      { classname: 'Smoke <politely> & "loudly"', name: "greets [it]" },
    ]);
    expect(cases.map(({ children }) => children.map(({ name }) => name))).toEqual([
      ["properties"],
      ["properties", "failure"],
    ]);
  });

  it("prints JSON and nothing else on stdout when asked to", async () => {
    const ended = await proctor(folder, ["test", "good.yaml", "--json"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(() => JSON.parse(ended.stdout) as unknown).not.toThrow();
  });

  it("finds out that a report cannot be written before anything runs", async () => {
    const quiet = folderOf("quiet", { "good.yaml": good, file: "in the way" });
    const ended = await proctor(quiet, ["test", "good.yaml", "--reporter", "junit=file/report.xml"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(/junit=file\/report\.xml: the report cannot be written/);
    expect(existsSync(join(quiet, ".proctor"))).toBe(false);
  });

  it("reports what had ended when it is interrupted, and ends with 130", async () => {
    const slow = folderOf("slow", { "slow.yaml": suite(address("sleeps"), PASSES) });
    const program = startProgram(["test", "slow.yaml"], { folder: slow });
    await eventually(() => expect(running(slow)).toHaveLength(1));
    program.child.kill("SIGINT");
    expect((await program.ended).code).toBe(130);
    expect(running(slow)).toEqual([]);
  });

  it("validates without running anything", async () => {
    const quiet = folderOf("validate", { "good.yaml": good, "other.yaml": good });
    const ended = await proctor(quiet, ["validate", "."]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.match(/✓/g)).toHaveLength(2);
    expect(readdirSync(quiet).toSorted()).toEqual(["good.yaml", "other.yaml"]);
  });
});

describe("a hub that is running", () => {
  const folder = folderOf("hub", { "good.yaml": suite(address("ok"), PASSES) });
  let hub: HubProcess;
  beforeAll(async () => {
    hub = await startHubProcess({ folder });
  });
  afterAll(() => hub.stop());

  it("is used by a command in its directory without a flag", async () => {
    const ended = await proctor(folder, ["run", "--agent", address("ok"), "--task", "x", "--json"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { items } = await hub.get<Page<Run>>("/runs");
    expect(items.map(({ id }) => id)).toEqual([responseOf(ended).task_id]);
  });

  it("is used by a command elsewhere that names it", async () => {
    const elsewhere = folderOf("elsewhere", { "good.yaml": suite(address("ok"), PASSES) });
    const before = (await hub.get<Page<Run>>("/runs")).items.length;
    const tested = await proctor(elsewhere, ["test", "good.yaml", "--hub", hub.url]);
    expect(tested).toMatchObject({ code: 0, stderr: "" });
    const listed = await proctor(elsewhere, ["runs", "list", "--json"], { env: { PROCTOR_URL: hub.url } });
    expect((JSON.parse(listed.stdout) as Page<Run>).items).toHaveLength(before + 1);
    // Only the results are kept here, to be gone on from.
    expect(readdirSync(join(elsewhere, ".proctor"))).toEqual(["results"]);
  });

  it("cancels a run at Ctrl-C of the command", async () => {
    const program = startProgram(["run", "--agent", address("sleeps"), "--task", "x"], { folder });
    const [, id = ""] = await program.printed(/run (\S+) on[^]*going to sleep/);
    program.child.kill("SIGINT");
    expect((await program.ended).code).toBe(130);
    expect(await hub.get<Run>(`/runs/${id}`)).toMatchObject({ status: "cancelled" });
    expect(findMarked("PROCTOR_RUN_ID", id)).toEqual([]);
  });

  it("adds, replaces, lists and removes agents for commands", async () => {
    const add = ["agents", "add", "writer", address("ok")];
    expect((await proctor(folder, add)).code).toBe(0);
    const again = await proctor(folder, add);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("AGENT_EXISTS");
    expect((await proctor(folder, [...add, "--replace"])).code).toBe(0);
    expect((await proctor(folder, ["agents", "list"])).stdout).toMatch(/^writer /m);
    expect(await hub.get("/agents/writer")).toMatchObject({ cwd: folder });
    expect((await proctor(folder, ["agents", "remove", "writer"])).code).toBe(0);
    expect((await hub.send("GET", "/agents/writer")).status).toBe(404);
  });
});

/** Exactly one line, which is the response. */
function responseOf({ stdout }: Ended): AtpResponse {
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return atpResponse.parse(JSON.parse(stdout));
}

/** Agents that were started for the folder's database and live. */
function running(folder: string): number[] {
  const file = join(folder, ".proctor/hub.id");
  if (!existsSync(file)) return [];
  const [id = ""] = readFileSync(file, "utf8").split("\n");
  return findMarked("PROCTOR_HUB_ID", id);
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
