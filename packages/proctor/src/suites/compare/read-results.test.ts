// Results in and out of files: each kind that is ours, and what is said about everything else.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { journalReporter } from "../journal/journal.ts";
import { jsonReporter } from "../reporters/json.ts";
import { attempt, plan, play, result } from "../../../test/support/reporters/results.ts";
import { mergeResults } from "./merge-results.ts";
import { byName } from "./pair-cases.ts";
import { readResults } from "./read-results.ts";
import { renderBaseline } from "./render-baseline.ts";
import { resultCase, resultRun, resultSet } from "../../../test/support/compare/results.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const folder = temporaryFolder("results");
let count = 0;

function write(text: string | Uint8Array, name = `file-${count++}`): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Three cases as `proctor test` reports them. */
function reported(create: Parameters<typeof play>[0]): string {
  const planned = plan(["good", "bad", "lost"]);
  const metrics = { wall_time_seconds: 1.5, total_tokens: 12, cost_usd: 0.25 };
  return play(create, planned, [
    result(planned, 0, [attempt("pass", { score: 95, metrics, ranAt: "2026-02-03T04:05:07.000Z" })]),
    result(planned, 1, [attempt("fail"), attempt("pass", { number: 2 })]),
    result(planned, 2, [attempt("unevaluated")]),
  ]);
}

const REPORTED = [
  ["good", "pass"],
  ["bad", "fail"],
  ["lost", "unevaluated"],
];

describe("a baseline file", () => {
  const set = resultSet([
    resultCase("b", [1, 1], {
      runs: [resultRun("pass", { score: 90, duration_ms: 12.6, cost_usd: 0.01 }), resultRun("fail")],
    }),
    resultCase("a", [0, 0, 1], { agent: "z" }),
    resultCase("a", [0], { agent: "y" }),
  ]);

  it("is sorted, with a line for each run, and the same whatever the order", () => {
    const text = renderBaseline(set);
    expect(text).toBe(renderBaseline({ ...set, cases: set.cases.toReversed() }));
    expect(text).toMatchInlineSnapshot(`
      "{
        "type": "proctor.baseline",
        "version": 1,
        "created_at": "2026-01-01T00:00:00.000Z",
        "cases": [
          {
            "suite": "smoke",
            "test_id": "a",
            "agent": "y",
            "key": "k",
            "outcome": "pass",
            "runs": []
          },
          {
            "suite": "smoke",
            "test_id": "a",
            "agent": "z",
            "key": "k",
            "outcome": "unevaluated",
            "runs": [
              { "outcome": "unevaluated", "score": null, "duration_ms": null, "total_tokens": null, "cost_usd": null }
            ]
          },
          {
            "suite": "smoke",
            "test_id": "b",
            "agent": "a",
            "key": "k",
            "outcome": "fail",
            "runs": [
              { "outcome": "pass", "score": 90, "duration_ms": 13, "total_tokens": null, "cost_usd": 0.01 },
              { "outcome": "fail", "score": null, "duration_ms": null, "total_tokens": null, "cost_usd": null }
            ]
          }
        ]
      }
      "
    `);
    expect(JSON.parse(text)).toMatchObject({ cases: [{ agent: "y" }, { agent: "z" }, { test_id: "b" }] });
  });

  it("is read back as it was written", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            suite: fc.string(),
            test_id: fc.string({ unit: anyCharacter }),
            agent: fc.string(),
            key: fc.string(),
            outcome: fc.constantFrom("pass" as const, "fail" as const, "unevaluated" as const),
            runs: fc.array(
              fc.record({
                outcome: fc.constantFrom("pass" as const, "fail" as const, "unevaluated" as const),
                score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
                duration_ms: fc.option(fc.nat()),
                total_tokens: fc.option(fc.nat()),
                cost_usd: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
              }),
              { maxLength: 3 },
            ),
          }),
          { maxLength: 4 },
        ),
        async (cases) => {
          const file = write(
            renderBaseline({ name: "x", created_at: "2026-01-01T00:00:00.000Z", cases }),
            "any.json",
          );
          const read = await readResults(file);
          expect(read.name).toBe("any.json");
          // JSON knows no -0.
          expect(read.cases).toEqual(JSON.parse(JSON.stringify(cases.toSorted(byName))));
        },
      ),
      { numRuns: propertyRuns(25) },
    );
  });

  it("may begin with a byte order mark, and keeps why it is incomplete", async () => {
    const file = write(`\uFEFF${renderBaseline({ ...set, incomplete: "interrupted" })}`);
    expect(await readResults(file)).toMatchObject({ incomplete: "interrupted", created_at: set.created_at });
  });
});

describe("a journal read as results", () => {
  const journal = reported(({ write }) => journalReporter({ write, now: "2026-02-03T04:05:06.000Z" }));

  it("has the cases of one invocation", async () => {
    const results = await readResults(write(journal, "20260203.jsonl"));
    expect(results).toMatchObject({ name: "20260203.jsonl", created_at: "2026-02-03T04:05:06.000Z" });
    expect(results).not.toHaveProperty("incomplete");
    expect(results.cases.map(({ test_id, outcome }) => [test_id, outcome])).toEqual(REPORTED);
    expect(results.cases[0]?.runs[0]).toEqual({
      outcome: "pass",
      score: 95,
      duration_ms: 1500,
      total_tokens: 12,
      cost_usd: 0.25,
    });
  });

  it("is incomplete when its end is cut off, at any byte", async () => {
    const bytes = Buffer.from(journal);
    const header = bytes.indexOf("\n") + 1;
    const last = bytes.lastIndexOf('{"type":"summary"');
    for (const at of [
      header,
      header + 1,
      Math.floor((header + last) / 2),
      last - 1,
      last,
      bytes.length - 1,
    ]) {
      const { incomplete } = await readResults(write(bytes.subarray(0, at), "cut.jsonl"));
      expect(incomplete, `${at}`).toMatch(/^it was cut off after \d of 3 cases$/);
    }
  });

  it("is incomplete when not everything was run", async () => {
    const stopped = journal
      .replace('"not_run":0', '"not_run":2')
      .replace('"stopped":null', '"stopped":"interrupted"');
    expect(await readResults(write(stopped))).toMatchObject({
      incomplete: "interrupted, and 2 of 3 cases were not run",
    });
  });
});

it("results are read from a report of the JSON reporter, which has no keys", async () => {
  const results = await readResults(write(reported(jsonReporter)));
  expect(results.created_at).toBe("2026-02-03T04:05:07.000Z");
  expect(results.cases.map(({ test_id, outcome, key }) => [test_id, outcome, key])).toEqual(
    REPORTED.map((one) => [...one, ""]),
  );
  expect(results.cases[0]?.runs[0]).toMatchObject({
    score: 95,
    duration_ms: 1500,
    total_tokens: 12,
    cost_usd: 0.25,
  });
});

describe("a file without results is refused, with what was expected:", () => {
  const baseline = renderBaseline(resultSet([resultCase("a", [1])]));
  const header = `{"type":"invocation","version":1,"created_at":"2026-01-01T00:00:00.000Z","suites":[],"cases":1}\n`;

  it.each<[what: string, text: string | Uint8Array, said: string]>([
    ["nothing", "", "it is no JSON"],
    ["YAML", "test_suite: x\n", "it is no JSON"],
    ["bytes", new Uint8Array([0, 255, 1, 254]), "it is no JSON"],
    ["a list", "[1]", "it is no JSON object"],
    ["another document", '{"cases": []}', "it is JSON of another kind"],
    [
      "a newer baseline",
      baseline.replace('"version": 1', '"version": 2'),
      "it is of version 2; this Proctor knows 1",
    ],
    ["a baseline without a version", baseline.replace('"version": 1,', ""), "version: "],
    ["a baseline cut off", baseline.slice(0, -20), "it is no JSON"],
    [
      "an outcome of another kind",
      baseline.replace('{ "outcome": "pass"', '{ "outcome": "fine"'),
      "cases.0.runs.0.outcome: ",
    ],
    ["a number that is none", baseline.replace('"score": null', '"score": 1e999'), "cases.0.runs.0.score: "],
    ["a moment that is none", baseline.replace("2026-01-01T", "yesterday"), "created_at: "],
    ["a report of something else", '{"cases": [{}], "summary": {}}', "cases, 0.suite: "],
    ["a newer journal", header.replace('"version":1', '"version":9'), "line 1, version: "],
    ["a journal with garbage", `${header}{"type":"case"\n`, "line 2 is no JSON object"],
    ["a journal with a wrong case", `${header}{"type":"case","suite":3}\n`, "line 2, suite: "],
  ])("%s", async (_what, text, said) => {
    const file = write(text);
    const failed = readResults(file);
    await expect(failed).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
    await expect(failed).rejects.toThrow(`${file}  these are no results: ${said}`);
    await expect(failed).rejects.toThrow("\nexpected a file of `proctor baseline save`");
  });

  it("a file that is not there, and a folder", async () => {
    await expect(readResults(join(folder, "nowhere"))).rejects.toThrow("there is no such file");
    mkdirSync(join(folder, "a-folder"));
    await expect(readResults(join(folder, "a-folder"))).rejects.toThrow("it is not a file");
  });
});

describe("results of several machines", () => {
  const part = (name: string, ...ids: string[]) =>
    resultSet(
      ids.map((id) => resultCase(id, [1])),
      name,
    );

  it("merge into one result as new as the newest", () => {
    const late = { ...part("two", "b"), created_at: "2026-01-02T00:00:00.000Z", incomplete: "interrupted" };
    expect(mergeResults([part("one", "a"), late])).toMatchObject({
      name: "one + two",
      created_at: "2026-01-02T00:00:00.000Z",
      incomplete: "two: interrupted",
      cases: [{ test_id: "a" }, { test_id: "b" }],
    });
  });

  it("are refused when a case is in two of them", () => {
    expect(() => mergeResults([part("one", "a", "b"), part("two", "b")])).toThrow(
      'the case "b [a]" is in one and in two',
    );
  });
});

it("results stay unchanged in the files they are read from", async () => {
  const file = write(renderBaseline(resultSet([])));
  const before = readFileSync(file);
  await readResults(file);
  expect(readFileSync(file)).toEqual(before);
});
