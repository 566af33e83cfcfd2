import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { escapeData, escapeProperty, githubReporter } from "./github.ts";
import {
  attempt,
  check,
  everything,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
} from "../../../test/support/reporters/results.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

interface Command {
  level: string;
  properties: Record<string, string>;
  message: string;
}

/** As the runner reads a line: up to the next `::` are the properties, the rest is the message; then both are unescaped. */
function readCommand(line: string): Command {
  const [, level = "", list = "", message = ""] = /^::(error|warning|notice) (.*?)::(.*)$/.exec(line) ?? [];
  if (level === "") throw new Error(`no command: ${line.slice(0, 200)}`);
  const properties = list.split(",").map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at), unescape(pair.slice(at + 1), /%(?:25|0D|0A|3A|2C)/g)];
  });
  return {
    level,
    properties: Object.fromEntries(properties) as Record<string, string>,
    message: unescape(message, /%(?:25|0D|0A)/g),
  };
}

function unescape(text: string, known: RegExp): string {
  return text.replaceAll(known, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

const readCommands = (text: string): Command[] => text.trimEnd().split("\n").map(readCommand);

test("GitHub gets one annotation for each failed or unevaluated check, at its place in the suite", () => {
  const { plan: planned, results } = everything();

  expect(play(githubReporter, planned, results).split("\n")).toEqual([
    '::error file=suites/smoke.yaml,line=12,col=9,title=bad [echo]::2 of 3 runs: contains: "hello" not found',
    "::warning file=suites/smoke.yaml,line=13,col=9,title=bad [echo]::1 of 3 runs: contains: no events",
    "::error file=suites/smoke.yaml,line=7,col=5,title=crash [echo]::the run ended as failed: AGENT_CRASHED: exit 1",
    "::warning file=suites/smoke.yaml,line=7,col=5,title=lost [echo]::the hub is gone",
    "::warning title=not everything was run::interrupted, 1 not run",
    "",
  ]);
});

test("GitHub annotations say who won, what changed since the baseline, and why the suite stopped", () => {
  const { plan: planned, results, rest } = repeated();
  const commands = readCommands(play(githubReporter, planned, results, rest));
  expect(commands.slice(-4)).toEqual([
    {
      level: "notice",
      properties: { title: "contest" },
      message: "winner of misses: alpha (quality 0.9 against 0.8)",
    },
    { level: "notice", properties: { title: "contest" }, message: "no winner of open" },
    {
      level: "error",
      properties: { title: "worse than baseline.json of 2026-01-01T00:00:00.000Z" },
      message:
        "↓ 1 regressed  ↑ 1 improved  = 1 unchanged\n↓ misses [alpha]: 90 % before, 40 % now\n" +
        "↑ holds [alpha]: 20 % before, 90 % now\n· costs did not change",
    },
    {
      level: "warning",
      properties: { title: "not everything was run" },
      message: "stopped by --fail-fast, 5 not run",
    },
  ]);
});

test("a check that a suite includes from elsewhere is annotated there", () => {
  const planned = plan(["one"]);
  const checks = [check("fail", "no", 3, { file: "shared/checks.yaml" })];
  const text = play(githubReporter, planned, [result(planned, 0, [attempt("fail", { checks })])]);
  expect(text).toMatch(/^::error file=shared\/checks\.yaml,line=3,col=9,/);
});

test("GitHub gets no annotation when everything passed", () => {
  const planned = plan(["good"]);
  expect(play(githubReporter, planned, [result(planned, 0, [attempt("pass")])])).toBe("");
});

test("a case without a reason is annotated all the same", () => {
  const planned = plan(["bad", "lost"]);
  const results = [result(planned, 0, [attempt("fail")]), result(planned, 1, [attempt("unevaluated")])];
  expect(readCommands(play(githubReporter, planned, results))).toMatchObject([
    { level: "error", message: "failed" },
    { level: "warning", message: "could not be evaluated" },
  ]);
});

test("GitHub annotations are escaped by the documented rules", () => {
  expect(escapeData("100% a\r\nb: c, d")).toBe("100%25 a%0D%0Ab: c, d");
  expect(escapeProperty("100% a\r\nb: c, d")).toBe("100%25 a%0D%0Ab%3A c%2C d");
  expect(escapeData("%0A")).toBe("%250A");
  assert(
    property(string({ unit: anyCharacter }), (text) => {
      expect(escapeData(text)).not.toMatch(/[\r\n]|%(?!25|0D|0A)/);
      expect(escapeProperty(text)).not.toMatch(/[\r\n:,]|%(?!25|0D|0A|3A|2C)/);
    }),
  );
});

test("no text of an agent becomes a GitHub command, a property or a control code", () => {
  for (const { plan: planned, results } of hostile()) {
    const text = play(githubReporter, planned, results);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
    const commands = readCommands(text);
    expect(commands.map(({ level }) => level)).toEqual(["error", "error", "warning", "warning", "warning"]);
    for (const { properties } of commands.slice(0, -1)) {
      expect(Object.keys(properties)).toEqual(["file", "line", "col", "title"]);
    }
  }
});

test("GitHub annotations repeat names and reasons exactly", () => {
  const said = "50%, a::b\r\nnext, line: %0A";
  const planned = plan([said], { file: "a,b:c%.yaml" });
  const [command] = readCommands(
    play(githubReporter, planned, [result(planned, 0, [attempt("fail", { reason: said })])]),
  );
  expect(command).toEqual({
    level: "error",
    properties: { file: "a,b:c%.yaml", line: "7", col: "5", title: `${said} [echo]` },
    message: said,
  });
});

test("GitHub annotations cut long texts and count further reasons", () => {
  for (const { plan: planned, results } of hostile([LONG])) {
    const text = play(githubReporter, planned, results);
    for (const line of text.split("\n")) expect(line.length).toBeLessThan(20_000);
    expect(text).toMatch(/… \(\d+ more characters\)/);
  }
  const planned = plan(["bad"]);
  const attempts = Array.from({ length: 100 }, (_, index) =>
    attempt("fail", { number: index + 1, checks: [check("fail", `took ${index} ms`)] }),
  );
  const commands = readCommands(play(githubReporter, planned, [result(planned, 0, attempts)]));
  expect(commands).toHaveLength(10);
  expect(commands.at(-1)?.message).toBe("1 of 100 runs: contains: took 9 ms\nand 90 more");
});
