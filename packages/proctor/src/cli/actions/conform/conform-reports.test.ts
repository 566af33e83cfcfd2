// The reports of `proctor conform`: where they go, what the terminal shows, and what a baseline makes of the exit code.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Conformance, RuleResult } from "../../../conformance/conformance.ts";
import { REPORT_NAMES, type ReportName } from "../../../conformance/reports/catalogue.ts";
import { createIo } from "../../../../test/support/cli/program-double.ts";
import { EVERYTHING, result } from "../../../../test/support/conformance/documents.ts";
import { runConform, scripted } from "../../../../test/support/conformance/run-conform.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = temporaryFolder("conform-reports");
const AGENT = "a2a+http://127.0.0.1:9000";
const everything = scripted(...EVERYTHING);
const conform = (conformance: Conformance, ...flags: string[]) =>
  runConform([AGENT, ...flags], conformance, { io: createIo({ cwd: folder }) });

/** The report of ACTS is another test's: it is about tests of ACTS alone. */
const NAMES = REPORT_NAMES.filter((name) => name !== "acts");

/** Beginnings of the reports of everything. */
const BEGINNINGS = {
  json: /^\{\n {2}"agent": "a2a\+http:/,
  junit: /^<\?xml /,
  markdown: /^\*\*A2A conformance: 2 failed\*\*/,
  html: /^<!doctype html>\n/,
  badge: /^<svg .* aria-label="A2A: 2 failed">/,
  "badge-json": /^\{"schemaVersion":1,"label":"A2A","message":"2 failed","color":"red"\}\n$/,
  summary: /^\{\n {2}"schema_version": 1,/,
} satisfies Record<Exclude<ReportName, "acts">, RegExp>;

describe("A report of proctor conform", () => {
  it.each(NAMES)("as %s goes to stdout, with nothing beside it", async (name) => {
    const { code, out, err } = await conform(everything, "--reporter", name);
    expect({ code, err }).toEqual({ code: 1, err: "" });
    expect(out).toMatch(BEGINNINGS[name]);
    expect(out).not.toMatch(/^conformance of/m);
  });

  it("of every kind goes into its file, beside what is shown", async () => {
    const flags = NAMES.flatMap((name) => ["-r", `${name}=out/${name}.report`]);
    const { code, out } = await conform(everything, ...flags);
    expect(code).toBe(1);
    expect(out).toMatch(/^conformance of a2a\+http/);
    expect(out.split("\n").slice(-NAMES.length - 1)).toEqual([
      ...NAMES.map((name) => `report  out/${name}.report`),
      "",
    ]);
    for (const name of NAMES)
      expect(await readFile(join(folder, "out", `${name}.report`), "utf8")).toMatch(BEGINNINGS[name]);
  });

  it("leaves stdout to --json, and the two say the same", async () => {
    const { out, err } = await conform(everything, "--json", "--reporter", "json=same.json");
    expect(err).toBe("report  same.json\n");
    expect(JSON.parse(await readFile(join(folder, "same.json"), "utf8"))).toEqual(JSON.parse(out));
  });

  it.each<[string, string[], string]>([
    [
      "cannot be written",
      ["-r", "junit=same.json/x.xml"],
      "-reporter junit=same.json/x.xml: the report cannot be written",
    ],
    ["has an unknown kind", ["-r", "markdwon"], "did you mean markdown?"],
    ["names no file", ["-r", "html="], "--reporter html= names no file"],
    ["shares stdout with another", ["-r", "html", "-r", "json"], "only one reporter can write to stdout"],
    ["shares stdout with --json", ["-r", "html", "--json"], "only one reporter can write to stdout"],
  ])("that %s ends the command before anything is tried", async (_what, flags, message) => {
    await writeFile(join(folder, "same.json"), "");
    const tried = scripted(...EVERYTHING);
    const { code, out, err } = await conform(tried, ...flags);
    expect({ code, out, asked: tried.asked }).toEqual({ code: 2, out: "", asked: [] });
    expect(JSON.stringify(err)).toContain(JSON.stringify(message).slice(1, -1));
  });

  it("says which rules of which versions were tried, where the protocol tells", async () => {
    const telling: Conformance = {
      ...everything,
      name: "A2A",
      versions: ["1.0"],
      async *check(spec, options) {
        options.describeSubject?.({ versions: ["0.3", "1.0"], bindings: ["GRPC"] });
        yield* everything.check(spec, options);
      },
    };
    const { out } = await conform(telling, "--only", "a2a.card.served", "--reporter", "summary");
    expect(JSON.parse(out)).toMatchObject({
      title: "A2A 0.3, 1.0",
      versions: ["0.3", "1.0"],
      bindings: ["GRPC"],
      complete: false,
      verdict: "pass",
    });
  });

  it("is written after Ctrl-C, too, and proves nothing then", async () => {
    const io = createIo({ cwd: folder });
    const interrupted: Conformance = {
      rules: everything.rules,
      async *check() {
        yield result({ id: "a2a.card.served" }, "pass");
        io.interrupt();
      },
    };
    const flags = ["--reporter", "badge-json=stopped.json"];
    expect(await runConform([AGENT, ...flags], interrupted, { io })).toMatchObject({ code: 130 });
    expect(JSON.parse(await readFile(join(folder, "stopped.json"), "utf8"))).toMatchObject({
      message: "interrupted",
    });
  });
});

describe("What proctor conform shows of a rule that is not kept", () => {
  const said = EVERYTHING.filter(({ rule }) => /task\.unknown|http\.status/.test(rule.id));

  it("is the reason, what was expected and got, how to see it again, and advice, uncut in a pipe", async () => {
    const { out } = await conform(scripted(...said));
    const [, first, ...lines] = out.split("\n");
    expect(first).toMatch(/^✗ a2a\.task\.unknown {2}a task .* TaskNotFoundError {2}3\.3\.2$/);
    expect(lines.slice(0, -3)).toEqual([
      "    the error has another code",
      '    expected: {"code":-32001}',
      '    got: {"code":-32603,"message":"Internal error"}',
      `    reproduce: ${said[0]?.reproduce}`,
      "    answer with code -32001",
      "? a2a.http.status   errors have their HTTP status  11.6",
      "    the status is 200",
      "    disputed: section 9.5 says 200",
      "    expected: 404",
      "    got: 200",
      "    answer with 404",
    ]);
  });

  it("fits the terminal, where the command line is dim", async () => {
    const io = createIo({ columns: 60, env: { FORCE_COLOR: "1" } });
    const { out } = await runConform([AGENT], scripted(...said), { io });
    expect(out).toContain("\u001b[2m    reproduce: curl -sS");
    // oxlint-disable-next-line no-control-regex -- colours and the live line are made of them
    const shown = out.replaceAll(/\u001b\[\d+m/g, "").replaceAll(/\r\u001b\[K/g, "\n");
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("never moves the cursor, whatever the agent said", async () => {
    const text = "a\u001b[2Jb\rc";
    const hostile = result({ id: "a.b", disputed: text }, "fail", {
      reason: `${text}\n${text}`,
      expected: text,
      got: text,
      reproduce: text,
    });
    const { out } = await conform(scripted(hostile));
    for (const control of ["\u001b", "\r"]) expect(out).not.toContain(control);
    expect(out).toContain("    got: a\\x1b[2Jbc\n");
  });
});

it("The exit code of proctor conform is 3 for an agent that is not there, even when only our own rules were asked for", async () => {
  const own: RuleResult = {
    rule: { id: "a.own", title: "about a.own", owner: "proctor", level: "should" },
    outcome: "unevaluated",
    reason: "nobody is there",
    unreachable: true,
    durationMs: 1,
  };
  expect(await conform(scripted(own))).toMatchObject({ code: 3 });
});

describe("The exit code of proctor conform --baseline", () => {
  const rule = (id: string, outcome: RuleResult["outcome"], level: "must" | "should" = "must") =>
    result({ id, level }, outcome, outcome === "pass" ? {} : { reason: "seen\ndo this" });
  const before = [
    rule("a.a", "pass"),
    rule("a.b", "fail"),
    rule("a.c", "unevaluated"),
    rule("a.s", "pass", "should"),
  ];

  async function since(now: RuleResult[], flags: string[] = [], changed: object = {}) {
    await conform(scripted(...before), "--reporter", "json=base.json");
    const file = join(folder, "base.json");
    const document = JSON.parse(await readFile(file, "utf8")) as object;
    await writeFile(file, `\uFEFF${JSON.stringify({ ...document, ...changed })}`);
    return conform(scripted(...now), "--baseline", "base.json", ...flags);
  }
  const changing = (...changes: RuleResult[]): RuleResult[] =>
    before.map((one) => changes.find((changed) => changed.rule.id === one.rule.id) ?? one);

  it.each<[number, string, RuleResult[], string[], object, string]>([
    [0, "nothing changed", before, [], {}, "since base.json: 1 known failure, 0 new\n"],
    [0, "a failure is fixed", changing(rule("a.b", "pass")), [], {}, "0 known failures, 0 new, 1 fixed\n"],
    [1, "a rule got worse", changing(rule("a.a", "fail")), [], {}, "1 known failure, 1 new\n    new: a.a\n"],
    [
      1,
      "a new rule fails",
      [...before, rule("a.d", "fail")],
      [],
      {},
      "1 known failure, 1 new\n    new: a.d\n",
    ],
    [1, "what had no occasion fails", changing(rule("a.c", "fail")), [], {}, "    new: a.c\n"],
    [
      3,
      "a rule has no occasion now",
      changing(rule("a.a", "unevaluated")),
      [],
      {},
      "; there was no occasion to compare a.a\n",
    ],
    [3, "a new rule has no occasion", [...before, rule("a.d", "unevaluated")], [], {}, "compare a.d\n"],
    [0, "a should got worse", changing(rule("a.s", "fail", "should")), [], {}, "1 known failure, 0 new\n"],
    [
      1,
      "a should got worse under --strict",
      changing(rule("a.s", "fail", "should")),
      ["--strict"],
      {},
      "new: a.s\n",
    ],
    [
      0,
      "what got worse was not asked for",
      changing(rule("a.a", "fail")),
      ["--only", "a.b"],
      {},
      "1 known failure, 0 new\n",
    ],
    [
      3,
      "it is of another protocol",
      before,
      [],
      { protocol: "atp" },
      "the baseline is of an agent of atp, and this one speaks a2a\n",
    ],
    [
      3,
      "it has no rule in common",
      [rule("b.a", "fail")],
      [],
      {},
      "the baseline has none of the rules that were tried\n",
    ],
    [
      3,
      "the agent is not there",
      [{ ...rule("a.a", "fail"), unreachable: true }, rule("a.c", "unevaluated")],
      [],
      {},
      "the agent could not be reached",
    ],
    [0, "it does not name its protocol", before, [], { protocol: undefined }, "1 known failure, 0 new\n"],
  ])("is %i when %s", async (code, _when, now, flags, changed, shown) => {
    const ended = await since(now, flags, changed);
    expect({ ...ended, out: undefined }).toEqual({ code, err: "", out: undefined });
    expect(ended.out).toContain(shown);
  });

  it("is in the document, and known failures are marked where they are shown", async () => {
    const { out } = await since(changing(rule("a.a", "fail")));
    expect(out).toMatch(/^✗ a\.b {2}about a\.b {2}Proctor's own {2}known$/m);
    const json = await since(changing(rule("a.a", "fail")), ["--json"]);
    expect(JSON.parse(json.out)).toMatchObject({
      verdict: "fail",
      baseline: { file: "base.json", agent: AGENT, outcome: "fail", known: ["a.b"], new: ["a.a"] },
    });
  });

  it("takes the document of --json, and may be written to the file that it was read from", async () => {
    const { out } = await conform(scripted(...before), "--json");
    await writeFile(join(folder, "rolling.json"), out);
    const flags = ["--baseline", "rolling.json", "--reporter", "json=rolling.json"];
    expect(await conform(scripted(...before), ...flags)).toMatchObject({ code: 0 });
    expect(await conform(scripted(...before), ...flags)).toMatchObject({ code: 0 });
  });

  it.each<[string, string | undefined, string]>([
    ["is not there", undefined, "there is no such file"],
    ["is empty", "", "it is no JSON"],
    ["is a list", "[]", "it is no JSON object"],
    ["is something else", '{"cases":[],"summary":{}}', "agent is missing"],
    ["is a summary for registries", '{"agent":"x","counts":{}}', "rules is missing"],
    [
      "has a rule without an outcome",
      '{"agent":"x","rules":[{"id":"a.b"}],"summary":{}}',
      "rules.0.outcome is missing",
    ],
    [
      "has another outcome",
      '{"agent":"x","rules":[{"id":"a.b","outcome":"ok"}],"summary":{}}',
      'rules.0.outcome must be "pass" or "fail" or "unevaluated"',
    ],
  ])("is 2 when the file %s, before anything is tried", async (_what, text, message) => {
    const file = text === undefined ? "nowhere.json" : "wrong.json";
    if (text !== undefined) await writeFile(join(folder, file), text);
    const tried = scripted(...before);
    const { code, out, err } = await conform(tried, "--baseline", file);
    expect({ code, out, asked: tried.asked }).toEqual({ code: 2, out: "", asked: [] });
    expect(err).toContain(`--baseline ${file}  this is no report of conformance: ${message}`);
  });
});
