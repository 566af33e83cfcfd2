// `proctor conform`: what is shown, what is asked of the protocol, and what the exit code says.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { ProctorError } from "../../../core/errors.ts";
import type { Conformance, RuleResult } from "../../../conformance/conformance.ts";
import { atpConformance } from "../../../protocols/atp/conform/conformance.ts";
import { createHubDouble, createIo, type IoDouble } from "../../../../test/support/cli/program-double.ts";
import { runConform, scripted } from "../../../../test/support/conformance/run-conform.ts";
import { block, lines } from "../../../../test/support/markdown.ts";
import { parseCommandLine } from "../../../core/command-line.ts";

const hub = createHubDouble();
const program = fileURLToPath(new URL("../../../../test/fixtures/agents/wrong/stdio.mjs", import.meta.url));
const address = (sin: string): string => `atp+stdio:${process.execPath} ${program} ${sin}`;

const result = (
  id: string,
  outcome: RuleResult["outcome"],
  level: "must" | "should" | "may" = "must",
  owner: "document" | "proctor" = "document",
): Omit<RuleResult, "durationMs"> => ({
  rule: {
    id,
    title: `about ${id}`,
    level,
    owner,
    ...(owner === "document" && { section: "Some Section" }),
  },
  outcome,
  ...(outcome !== "pass" && { reason: outcome === "fail" ? "seen\ndo this" : "no occasion" }),
});

function disputed(given: Omit<RuleResult, "durationMs">): Omit<RuleResult, "durationMs"> {
  return { ...given, rule: { ...given.rule, disputed: "section 1 says otherwise" } };
}

test("proctor conform takes a broken rule of Proctor's own for advice, whatever its level and even with --strict", async () => {
  const conformance = scripted(
    result("a.b", "pass"),
    result("a.c", "fail", "must", "proctor"),
    result("a.d", "unevaluated", "must", "proctor"),
  );
  const shown = await run(["atp+stdio:x", "--strict"], conformance);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain("· a.c  about a.c  Proctor's own");
  expect(shown.out).toContain("1 passed, 0 failed, 1 advice, 0 unevaluated");
  const { out } = await run(["atp+stdio:x", "--json"], conformance);
  expect(JSON.parse(out)).toMatchObject({
    rules: [{ owner: "document", section: "Some Section" }, { owner: "proctor" }, { owner: "proctor" }],
    summary: { failed: 0, advice: 1, unevaluated: 0 },
  });
});

const run = (argv: string[], conformance: Conformance, io: IoDouble = createIo()) =>
  runConform(argv, conformance, { io, hub });

describe("the exit code of proctor conform", () => {
  test.each<[number, string, Omit<RuleResult, "durationMs">[], string[]]>([
    [0, "every rule is kept", [result("a.b", "pass")], []],
    [1, "a must is broken", [result("a.b", "pass"), result("a.c", "fail"), result("a.d", "unevaluated")], []],
    [3, "a rule had no occasion", [result("a.b", "pass"), result("a.d", "unevaluated")], []],
    [0, "only a should is broken", [result("a.b", "pass"), result("a.e", "fail", "should")], []],
    [1, "a should is broken under --strict", [result("a.e", "fail", "should")], ["--strict"]],
    [0, "only a may is broken, even under --strict", [result("a.e", "fail", "may")], ["--strict"]],
    [0, "a may had no occasion", [result("a.e", "unevaluated", "may")], []],
    [0, "only a disputed rule is broken", [disputed(result("a.e", "fail"))], []],
    [0, "a disputed rule had no occasion", [disputed(result("a.e", "unevaluated"))], []],
  ])("is %i when %s", async (code, _when, results, flags) => {
    expect(await run(["atp+stdio:x", ...flags], scripted(...results))).toMatchObject({ code });
  });

  test("is 130 after Ctrl-C, with what was decided before", async () => {
    const io = createIo();
    const interrupted: Conformance = {
      rules: [result("a.b", "pass").rule],
      async *check() {
        yield { ...result("a.b", "pass"), durationMs: 1 };
        io.interrupt();
      },
    };
    const { code, out } = await run(["atp+stdio:x"], interrupted, io);
    expect(code).toBe(130);
    expect(out).toContain("1 passed, 0 failed, 0 unevaluated");
  });
});

test("proctor conform shows a line for each rule, a repeated reason once, and what to do", async () => {
  const results = [
    result("a.b", "pass"),
    result("a.long", "fail"),
    result("a.e", "fail", "should"),
    result("a.f", "unevaluated"),
    result("a.g", "unevaluated"),
  ];
  const { out, err } = await run(["atp+stdio:x"], scripted(...results));
  expect(out.replace(/in [\d.]+m?s$/m, "in 1ms")).toBe(
    [
      "conformance of atp+stdio:x over stdio",
      "✓ a.b     about a.b  Some Section",
      "✗ a.long  about a.long  Some Section",
      "    seen",
      "    do this",
      "! a.e     about a.e  Some Section",
      "○ a.f     about a.f  Some Section",
      "    no occasion",
      "○ a.g     about a.g  Some Section",
      "",
      "1 passed, 1 failed, 1 warning, 2 unevaluated  in 1ms",
      "",
    ].join("\n"),
  );
  expect(err).toBe("");
});

test("proctor conform has a live line on a terminal, and no line wider than the terminal", async () => {
  const io = createIo({ columns: 44, env: { NO_COLOR: "1" } });
  const { out } = await run(["atp+stdio:x"], scripted(result("a.b", "pass")), io);
  expect(out).toContain("0 rules tried");
  const shown = out.replaceAll("\r\u001b[K", "\n").split("\n");
  for (const line of shown) expect(line.length).toBeLessThanOrEqual(44);
});

test("proctor conform cuts the title of a rule that is kept, and wraps what has to be read", async () => {
  const long = "a title that does not fit beside the name of its rule, and then some";
  const told = { ...result("a.b", "fail"), rule: { ...result("a.b", "fail").rule, title: long } };
  const kept = { ...result("a.long", "pass"), rule: { ...result("a.long", "pass").rule, title: long } };
  const reason =
    "it answered with something that takes more than one line\nanswer with something else, and say so";
  const io = createIo({ columns: 44, env: { NO_COLOR: "1" } });
  const agent = "atp+stdio:node a-program-with-a-long-name.mjs";
  const { out } = await run([agent], scripted({ ...told, reason }, kept, result("a.c", "pass")), io);
  const shown = out.split("\n").map((line) => line.split("\r\u001b[K").at(-1));
  expect(shown.slice(0, -3)).toEqual([
    "conformance of atp+stdio:node a-… over stdio",
    "✗ a.b     a title that does not fit beside",
    "          the name of its rule, and then",
    "          some",
    "    it answered with something that takes",
    "    more than one line",
    "    answer with something else, and say so",
    "✓ a.long  a title that does not fit beside …",
    "✓ a.c     about a.c  Some Section",
  ]);
});

test("proctor conform --json prints one document and nothing else on stdout", async () => {
  const failing = { ...result("a.c", "fail"), evidence: { sent: "{}" } };
  const { code, out, err } = await run(["atp+stdio:x", "--json"], scripted(result("a.b", "pass"), failing));
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    agent: "atp+stdio:x",
    protocol: "atp",
    title: "ATP",
    transport: "stdio",
    proctor_version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    strict: false,
    complete: true,
    interrupted: false,
    reachable: true,
    verdict: "fail",
    rules: [
      {
        id: "a.b",
        title: "about a.b",
        owner: "document",
        section: "Some Section",
        level: "must",
        outcome: "pass",
        grade: "passed",
        duration_ms: 1,
      },
      {
        id: "a.c",
        title: "about a.c",
        owner: "document",
        section: "Some Section",
        level: "must",
        outcome: "fail",
        grade: "failed",
        reason: "seen\ndo this",
        evidence: { sent: "{}" },
        duration_ms: 1,
      },
    ],
    summary: {
      passed: 1,
      failed: 1,
      warnings: 0,
      advice: 0,
      disputed: 0,
      unevaluated: 0,
      duration_ms: expect.any(Number),
    },
  });
  expect(err).toBe("");
});

describe("what proctor conform is asked for", () => {
  const ok = scripted(
    result("a.b.c", "pass"),
    result("a.b.d", "pass"),
    result("a.bc", "pass"),
    result("group.event.field", "pass"),
  );

  test("is passed on as the flags say", async () => {
    const io = createIo({ cwd: "/somewhere", env: { KEY: "s3cret" } });
    const flags = ["--task", "Add up", "--timeout", "5", "--env", "KEY", "--env", "MODE=a=b"];
    await run(["atp+stdio:node agent.mjs", ...flags], ok, io);
    expect(ok.asked.at(-1)).toMatchObject({
      spec: { command: ["node", "agent.mjs"], cwd: "/somewhere" },
      options: { timeoutMs: 5000, task: "Add up", environment: { KEY: "s3cret", MODE: "a=b" } },
    });
    await run(["atp+http://h:1", "--header", "authorization=Bearer x"], ok, io);
    expect(ok.asked.at(-1)).toMatchObject({
      spec: { url: "http://h:1", headers: { authorization: "Bearer x" } },
      options: { timeoutMs: 30_000 },
    });
  });

  test("may be some rules, by name or by the beginning of names", async () => {
    await run(["atp+stdio:x", "--only", "a.b", "--only", "a.bc"], ok);
    expect(ok.asked.at(-1)?.options.only).toEqual(["a.b.c", "a.b.d", "a.bc"]);
  });

  test("may be a registered agent, whose secrets have to be given again", async () => {
    const headers = { authorization: "***" };
    await hub.addAgent({ name: "plain", protocol: "atp", transport: "http", url: "http://h:1" });
    await hub.addAgent({ name: "sealed", protocol: "atp", transport: "http", url: "http://h:2", headers });
    expect(await run(["plain"], ok)).toMatchObject({ code: 0 });
    expect(ok.asked.at(-1)?.spec).toEqual({ protocol: "atp", transport: "http", url: "http://h:1" });
    const refused = await run(["sealed"], ok);
    expect(refused).toMatchObject({ code: 2, out: "" });
    expect(refused.err).toContain("give them here, too: --header authorization=…");
    expect(await run(["sealed", "--header", "authorization=x"], ok)).toMatchObject({ code: 0 });
    expect(ok.asked.at(-1)?.spec.headers).toEqual({ authorization: "x" });
  });

  test.each([
    [["atp+stdio:x", "--only", "a.b.x"], 'did you mean "a.b.c"?'],
    [["atp+stdio:x", "--only", "group.evnt"], 'did you mean "group.event"?'],
    [["atp+stdio:x", "--task", " "], "--task must have"],
    [["atp+stdio:x", "--env", "NOT_SET_HERE"], "not set here"],
    [["http://localhost:8000"], "put the agent's protocol in front"],
    [["nobody"], "there is no agent nobody"],
  ])("is refused with exit code 2: %j", async (argv, message) => {
    const { code, out, err } = await run(argv, ok);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(message);
  });

  test("is refused with exit code 2 when the transport has no occasion for it", async () => {
    const { code, out, err } = await run([address("none"), "--only", "atp.media"], atpConformance);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("none of these rules has an occasion over stdio");
  });

  test("is refused with exit code 2 when no protocol speaks to the agent", async () => {
    const io = createIo();
    const unknown = new ProctorError("UNKNOWN_SCHEME", "no protocol speaks this");
    const refusing = {
      ...ok,
      get rules(): Conformance["rules"] {
        throw unknown;
      },
    };
    expect(await run(["atp+stdio:x"], refusing, io)).toMatchObject({ code: 2 });
  });
});

test("proctor conform ends with 0 for a real agent without fault, and with 1 for one with a fault", async () => {
  const here = { cwd: process.cwd() };
  const good = await run([address("none"), "--only", "atp.response"], atpConformance, createIo(here));
  expect(good).toMatchObject({ code: 0, err: "" });
  expect(good.out).toContain("✓ atp.response.given");
  const only = ["--only", "atp.response.status"];
  const bad = await run([address("atp.response.status"), ...only], atpConformance, createIo(here));
  expect(bad).toMatchObject({ code: 1, err: "" });
  expect(bad.out).toContain('    status is "done"\n    use one of the five words, in lower case\n');
});

describe("the guide to proctor conform", () => {
  const root = fileURLToPath(new URL("../../../../../..", import.meta.url));
  const guide = (): Promise<string> => readFile(join(root, "docs/guides/conform.md"), "utf8");

  test("shows the output that the command prints", async () => {
    const shown = (await guide()).split("```\n").find((text) => text.startsWith("$ proctor conform")) ?? "";
    const [command = "", ...output] = shown.split("\n");
    const [, , ...argv] = parseCommandLine(command.slice(2));
    const { code, out } = await run(argv, atpConformance, createIo({ cwd: root }));
    expect(code).toBe(1);
    const untimed = (text: string): string[] => lines(text.replaceAll(/in \d+ms$/gm, "in 0.3s"));
    expect(untimed(out)).toEqual(untimed(output.join("\n")));
  });

  test("has an agent that keeps every rule", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "proctor-conform-"));
    try {
      await writeFile(join(cwd, "agent.mjs"), block(await guide(), "js", "// agent.mjs"));
      const ended = await run(["atp+stdio:node agent.mjs", "--strict"], atpConformance, createIo({ cwd }));
      expect(ended.out).toMatch(/^44 passed, 0 failed, 0 unevaluated {2}in/m);
      expect(ended.code).toBe(0);
    } finally {
      await rm(cwd, { recursive: true });
    }
  });
});
