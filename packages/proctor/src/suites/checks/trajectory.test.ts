import { describe, expect, test } from "vitest";
import type { EventDraft } from "../../core/event.ts";
import type { JsonObject } from "../../core/json.ts";
import { call, called, check, withTools } from "../../../test/support/suites/check-subject.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const search = call("search", { q: "a" });
const write = call("write", { path: "a.md" });
const nameless: EventDraft = { type: "tool_call", payload: { status: "success" } };
const progress: EventDraft = { type: "progress", payload: {} };

const outcomeOf = async (type: string, config: object, events: EventDraft[], run = {}): Promise<string> =>
  (await check(type, config, { events, run })).outcome;

describe("the checks must_use_tools and forbidden_tools", () => {
  test.each<[string, string[], EventDraft[], string, string]>([
    ["all called", ["search", "write"], [write, progress, search], "pass", "fail"],
    ["one called", ["search", "shell"], [search], "fail", "fail"],
    ["none called", ["shell"], [search], "fail", "pass"],
    ["nothing called", ["shell"], [], "fail", "pass"],
    ["a call without a name", ["shell"], [search, nameless], "unevaluated", "unevaluated"],
    ["a call without a name beside those that are asked for", ["search"], [nameless, search], "pass", "fail"],
  ])("agree on %s", async (_, tools, events, must, forbidden) => {
    expect(await outcomeOf("must_use_tools", { tools }, events)).toBe(must);
    expect(await outcomeOf("forbidden_tools", { tools }, events)).toBe(forbidden);
  });

  test("look at what the platform saw, if asked to", async () => {
    const events = [search, called("write")];
    const config = { tools: ["write"], observed: true };
    expect(await outcomeOf("must_use_tools", config, events, withTools)).toBe("pass");
    expect(await outcomeOf("must_use_tools", { tools: ["search"], observed: true }, events, withTools)).toBe(
      "fail",
    );
    expect(await check("must_use_tools", config, { events: [] })).toEqual({
      outcome: "unevaluated",
      message:
        'could not be evaluated: "observed" needs tools or labs that the platform serves, and the run had none',
    });
  });

  test("say which event, and what was called instead", async () => {
    const events = [progress, search, write, search];
    expect((await check("forbidden_tools", { tools: ["search"] }, { events })).message).toBe(
      '"search" called in event 1 (and 1 more)',
    );
    expect((await check("must_use_tools", { tools: ["shell"] }, { events })).message).toBe(
      '"shell" not called; 3 calls of "search", "write"',
    );
  });

  test("refuse an empty list", () => {
    expect(() => check("must_use_tools", { tools: [] }, {})).toThrow();
  });
});

describe("the checks max_tool_calls and min_tool_calls", () => {
  const part = (status: string): EventDraft => call("search", {}, { call_id: "1", status });

  test.each<[string, EventDraft[], number, number]>([
    ["each call", [search, search, write], 0, 3],
    ["the start and the end of one call as one", [part("started"), part("running"), part("success")], 0, 1],
    ["the same id again as another call", [part("started"), part("success"), part("success")], 0, 2],
    ["what the agent says, if that is more", [search], 5, 5],
    ["what it reported, if it says less", [search, write], 1, 2],
    ["no calls", [progress], 0, 0],
  ])("count %s", async (_, events, metric, count) => {
    const run = { metrics: { tool_calls: metric } };
    expect(await outcomeOf("max_tool_calls", { limit: count }, events, run)).toBe("pass");
    expect(await outcomeOf("min_tool_calls", { limit: count }, events, run)).toBe("pass");
    expect(await outcomeOf("min_tool_calls", { limit: count + 1 }, events, run)).toBe("fail");
    if (count > 0) expect(await outcomeOf("max_tool_calls", { limit: count - 1 }, events, run)).toBe("fail");
  });

  test("fail on a run with more calls than can be held", async () => {
    const events = Array.from({ length: 100_001 }, () => search);
    const many = { metrics: { tool_calls: 100_001 } };
    expect(await outcomeOf("max_tool_calls", { limit: 5 }, events, many)).toBe("fail");
    expect(await outcomeOf("max_tool_calls", { limit: 200_000 }, events, many)).toBe("unevaluated");
  });

  test("count observed calls by themselves", async () => {
    const run = { ...withTools, metrics: { tool_calls: 9 } };
    expect(await outcomeOf("max_tool_calls", { limit: 1, observed: true }, [called("a")], run)).toBe("pass");
    expect(await outcomeOf("min_tool_calls", { limit: 1, observed: true }, [search])).toBe("unevaluated");
  });
});

describe("the check tool_order", () => {
  const MODES = ["strict", "in_order", "unordered", "subset", "superset"];

  test.each<[string, string[], string]>([
    // The modes in which it passes, for the calls a, b, c.
    ["the same", ["a", "b", "c"], "strict in_order unordered subset superset"],
    ["another order", ["c", "b", "a"], "unordered subset superset"],
    ["fewer", ["a", "c"], "in_order superset"],
    ["only the beginning", ["a", "b"], "in_order superset"],
    ["more", ["a", "b", "c", "d"], "subset"],
    ["one twice", ["a", "a", "b", "c"], "subset"],
    ["others", ["d", "e", "f"], ""],
  ])("compares with a list that has %s", async (_, tools, passing) => {
    const events = [call("a"), progress, call("b"), call("c")];
    for (const mode of MODES) {
      const expected = passing.split(" ").includes(mode) ? "pass" : "fail";
      expect(await outcomeOf("tool_order", { tools, mode }, events), mode).toBe(expected);
    }
  });

  test("finds a run without calls in order only where none are allowed", async () => {
    for (const mode of MODES)
      expect(await outcomeOf("tool_order", { tools: ["a"], mode }, []), mode).toBe(
        mode === "subset" ? "pass" : "fail",
      );
  });

  test.each<[string, JsonObject | string | undefined, string]>([
    ["exact", { q: "slack", page: { n: 1 } }, "pass"],
    ["exact", { page: { n: 1 }, q: "slack" }, "pass"],
    ["exact", { q: "slack" }, "fail"],
    ["exact", undefined, "pass"],
    ["partial", { page: { n: 1 } }, "pass"],
    ["partial", { page: { n: 2 } }, "fail"],
    ["regex", { q: "^SL" }, "fail"],
    ["regex", { q: "(?i)^SL", page: { n: 1 } }, "pass"],
    ["regex", { q: "^sl", page: { n: 2 } }, "fail"],
    ["regex", '"n":1\\}', "pass"],
    ["json_path", { "$.page.n": 1, "$.q": "slack" }, "pass"],
    ["json_path", { "$..n": 2 }, "fail"],
    ["ignore", { anything: "else" }, "pass"],
  ])("compares input in the mode %s with %j: %s", async (args, input, outcome) => {
    const calls = [{ tool: "search", ...(input !== undefined && { input }) }];
    const events = [call("search", { q: "slack", page: { n: 1 } })];
    expect(await outcomeOf("tool_order", { calls, args }, events)).toBe(outcome);
  });

  test.each(["strict", "in_order", "unordered", "subset", "superset"])(
    "is unevaluated in mode %s when the one that is missing may be a call without a name",
    async (mode) => {
      const events = [call("a"), nameless];
      expect(await outcomeOf("tool_order", { tools: ["a", "b"], mode }, events)).toBe("unevaluated");
    },
  );

  test("finds a partner for each, whatever the order of the list", async () => {
    // The first entry fits both calls, the second only one of them.
    const calls = [
      { tool: "a", input: {} },
      { tool: "a", input: { n: 1 } },
    ];
    const events = [call("a", { n: 1 }), call("a", { n: 2 })];
    for (const mode of ["unordered", "superset", "subset"])
      expect(await outcomeOf("tool_order", { calls, mode, args: "partial" }, events), mode).toBe("pass");
  });

  test("gives up on an expression that never ends", async () => {
    const calls = [{ tool: "a", input: { q: "^(a+)+$" } }];
    const events = [call("a", { q: `${"a".repeat(60)}!` })];
    expect(await soonTooSlow(() => check("tool_order", { calls, args: "regex" }, { events }))).toEqual({
      outcome: "unevaluated",
      message: "could not be evaluated: the comparison is too slow: stopped after 1 s of CPU time",
    });
  });

  test.each<[object]>([
    [{}],
    [{ tools: ["a"], calls: [{ tool: "a" }] }],
    [{ calls: [{ tool: "a", input: { q: "(" } }], args: "regex" }],
    [{ calls: [{ tool: "a", input: { q: "x" } }], args: "json_path" }],
    [{ calls: [{ tool: "a", input: "x" }], args: "json_path" }],
  ])("refuses %j", (config) => {
    expect(() => check("tool_order", config, {})).toThrow();
  });
});

describe("the check no_loops", () => {
  const at = (letters: string): EventDraft[] =>
    Array.from(letters, (letter) => call(letter.toLowerCase(), { big: letter !== letter.toLowerCase() }));

  test.each<[string, object, string]>([
    ["aaa", {}, "fail"],
    ["aa", {}, "pass"],
    ["aaAaa", {}, "pass"],
    ["abababc", {}, "fail"],
    ["xabcabcabc", {}, "fail"],
    ["abcdabcdabcd", {}, "pass"],
    ["abcdabcdabcd", { window: 4 }, "fail"],
    ["abcabc", { repeats: 2 }, "fail"],
    ["abcab", { repeats: 2 }, "pass"],
    ["", {}, "pass"],
  ])("of the calls %s with %j is %s", async (letters, config, outcome) => {
    expect(await outcomeOf("no_loops", config, at(letters))).toBe(outcome);
  });

  test("says where it begins and ends", async () => {
    expect((await check("no_loops", {}, { events: [progress, ...at("xababab")] })).message).toBe(
      '"a", "b" called 3 times in a row with the same input, in events 2 to 7',
    );
  });

  test("is unevaluated when calls were to be observed and could not", async () => {
    expect(await outcomeOf("no_loops", { observed: true }, at("aaa"))).toBe("unevaluated");
  });
});

describe("the check observed_equals_reported", () => {
  const violation = (rule: string, more: JsonObject = {}): EventDraft => ({
    type: "violation",
    payload: { rule, message: "a call of x was reported and never made", ...more },
  });

  test("passes when nothing differs", async () => {
    expect(await outcomeOf("observed_equals_reported", {}, [violation("atp.json")], withTools)).toBe("pass");
  });

  test.each(["tool.unobserved", "tool.unreported", "tool.misreported"])("fails on %s", async (rule) => {
    const events = [violation(rule), violation(rule, { repeated: 4 })];
    expect(await check("observed_equals_reported", {}, { events, run: withTools })).toEqual({
      outcome: "fail",
      message: '"a call of x was reported and never made" in event 0 (and 4 more)',
    });
  });

  test("is unevaluated when the platform could not see anything", async () => {
    expect(await outcomeOf("observed_equals_reported", {}, [search])).toBe("unevaluated");
  });
});

describe("the check behavior", () => {
  const events = [
    call("search", { q: "a", limit: 5 }, { output: { results: [] } }),
    call("write", { path: "a.md" }, { status: "error" }),
    call("search", { q: "b" }, { output: null }),
  ];

  test.each<[object, string]>([
    [{ must_use_tools: ["search"], min_tool_calls: 3, max_tool_calls: 3, forbidden_tools: ["rm"] }, "pass"],
    [{ must_use_tools: ["search"], max_tool_calls: 2 }, "fail"],
    [{ min_tool_calls: 4 }, "fail"],
    [{ forbidden_tools: ["write"] }, "fail"],
    [{ no_errors: true }, "fail"],
    [{ expected_tool_calls: [{ tool: "write", status: "error" }] }, "pass"],
    [{ expected_tool_calls: [{ tool: "write", status: "success" }] }, "fail"],
    [{ expected_tool_calls: [{ tool: "search", input_matches: [{ path: "$.limit", equals: 5 }] }] }, "pass"],
    [{ expected_tool_calls: [{ tool: "search", input_matches: [{ path: "$.limit", equals: 6 }] }] }, "fail"],
    [
      { expected_tool_calls: [{ tool: "search", input_matches: [{ path: "$.limit", absent: true }] }] },
      "pass",
    ],
    [
      { expected_tool_calls: [{ tool: "search", output_matches: [{ path: "$.results", exists: true }] }] },
      "pass",
    ],
    [{ expected_tool_calls: [{ tool: "write", output_matches: [{ path: "$", exists: true }] }] }, "fail"],
    [{ expected_tool_calls: [{ tool: "search" }, { tool: "search" }, { tool: "search" }] }, "pass"],
    [{ expected_tool_calls: [{ tool: "write" }, { tool: "search" }], tool_call_order: "expected" }, "pass"],
    [{ expected_tool_calls: [{ tool: "write" }, { tool: "write" }], tool_call_order: "expected" }, "fail"],
    [
      { forbidden_tool_calls: [{ tool: "write", input_matches: [{ path: "$.path", equals: "b.md" }] }] },
      "pass",
    ],
    [
      { forbidden_tool_calls: [{ tool: "write", input_matches: [{ path: "$.path", equals: "a.md" }] }] },
      "fail",
    ],
  ])("with %j is %s", async (config, outcome) => {
    expect(await outcomeOf("behavior", config, events)).toBe(outcome);
  });

  test("tells only what does not hold, and why", async () => {
    const expected_tool_calls = [{ tool: "search", input_matches: [{ path: "$.q", equals: "c" }] }];
    const config = { must_use_tools: ["search"], max_tool_calls: 2, expected_tool_calls };
    expect((await check("behavior", config, { events })).message).toBe(
      '3 tool calls, at most 2 expected; no such call of "search": event 2, input $.q: "c" expected, found "b"',
    );
  });

  test("is unevaluated when a part is and none fails", async () => {
    const config = { must_use_tools: ["shell"], max_tool_calls: 9 };
    expect(await outcomeOf("behavior", config, [nameless])).toBe("unevaluated");
    expect(await outcomeOf("behavior", { ...config, max_tool_calls: 0 }, [nameless])).toBe("fail");
    for (const key of ["expected_tool_calls", "forbidden_tool_calls"])
      expect(await outcomeOf("behavior", { [key]: [{ tool: "shell" }] }, [nameless]), key).toBe(
        "unevaluated",
      );
  });

  test.each<[object]>([
    [{}],
    [{ no_errors: false }],
    [{ check: "must_use_tools" }],
    [{ expected_tool_calls: [{ tool: "a", input_matches: [{ path: "$.a", equals: 1, exists: true }] }] }],
    [{ expected_tool_calls: [{ tool: "a", input_matches: [{ path: "$.a", exists: false }] }] }],
    [{ expected_tool_calls: [{ tool: "a", input_matches: [{ path: "a", exists: true }] }] }],
    [{ forbidden_tool_calls: [{ tool: "a", input_matches: [{ path: "$.a", matches: "x" }] }] }],
  ])("refuses %j", (config) => {
    expect(() => check("behavior", config, {})).toThrow();
  });
});
