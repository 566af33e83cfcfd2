import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import { startLlm } from "../../../test/support/doubles/mock-llm-harness.ts";
import { createAskLlm } from "../judge/ask-llm.ts";
import { check, file, structured, type Given } from "../../../test/support/suites/check-subject.ts";
import { checkCitations } from "../facts/citations.ts";
import { numbersIn } from "../facts/numbers-in.ts";
import { findCheck } from "./registry.ts";

const folder = temporaryFolder("factuality");
writeFileSync(
  join(folder, "facts.json"),
  JSON.stringify({
    facts: { "founder of the field": "John McCarthy", "enterprise headquarters": ["Oslo", "Bergen"] },
    dates: { "AI founded": 1956 },
    numbers: { enterprise_adoption_rate: "75", "initial investment": "1 billion" },
  }),
);
writeFileSync(
  join(folder, "sources.yaml"),
  "dates: { AI founded: 1956 }\nvalid_sources: [https://x.test/docs, 'McCarthy, J. (1956)']\n",
);
writeFileSync(join(folder, "wrong.yaml"), "facts: { a: b }\nfact: 1\n");

const on = (text: string): Given => ({ folder, artifacts: [file("1", "a.md")], bytes: { "1": text } });
const FACTS = { ground_truth_file: "facts.json" };

describe("the check factuality, by words and numbers,", () => {
  test.each<[string, string, string]>([
    ["AI was founded in 1956.", "pass", "1 of 1 statements verified, a share of 0.8 expected"],
    [
      "AI was founded in 1965.",
      "fail",
      '0 of 1 statements verified, a share of 0.8 expected; "AI founded" is not "1956" in "AI was founded in 1965."',
    ],
    ["The initial investment was $1,000,000,000.", "pass", "1 of 1"],
    ["The initial investment was 1.0 billion dollars.", "pass", "1 of 1"],
    ["The initial investment was 2 billion dollars.", "fail", "0 of 1"],
    ["In 2019 an enterprise had an adoption rate of 75%.", "pass", "1 of 1"],
    ["In 2019 an enterprise had an adoption rate of 57 %.", "fail", "0 of 1"],
    ["The founder of the field was John McCarthy.", "pass", "1 of 1"],
    ["The founder of the field was Alan Turing.", "fail", '"founder of the field" is not "John McCarthy"'],
    ["The enterprise has its headquarters in Bergen.", "pass", "1 of 1"],
    ["Nothing of the kind.", "unevaluated", "the text states nothing that could be verified"],
    ["AI was founded long ago. In 2019 the adoption rate was said to be high.", "unevaluated", "nothing"],
  ])("of %s is %s", async (text, outcome, message) => {
    expect(await check("factuality", FACTS, on(text))).toMatchObject({
      outcome,
      message: expect.stringContaining(message),
    });
  });

  test("compares the share with min_confidence, and has it as its score", async () => {
    const text = "AI was founded in 1956. The initial investment was 2 billion.";
    expect(await check("factuality", FACTS, on(text))).toMatchObject({ outcome: "fail", score: 0.5 });
    expect((await check("factuality", { ...FACTS, min_confidence: 0.5 }, on(text))).outcome).toBe("pass");
    expect((await check("not_factuality", FACTS, on(text))).outcome).toBe("pass");
  });

  test("finds a text that contradicts itself, unless it is told not to", async () => {
    const text = "AI was founded in 1956. Later: AI was founded in 1965.";
    const verdict = await check("factuality", FACTS, on(text));
    expect(verdict).toMatchObject({
      outcome: "fail",
      message: expect.stringContaining("contradicts itself"),
    });
    expect((await check("factuality", { ...FACTS, detect_hallucinations: false }, on(text))).outcome).toBe(
      "pass",
    );
  });

  test("looks into data, and keeps vague claims in the details", async () => {
    const data: Given = {
      folder,
      artifacts: [structured("1", "d", { ai: { "ai founded": 1956 }, other: 12 })],
    };
    expect((await check("factuality", FACTS, data)).outcome).toBe("pass");
    const vague = await check(
      "factuality",
      FACTS,
      on("Numerous researchers found that AI was founded in 1956."),
    );
    expect(vague).toMatchObject({ outcome: "pass", details: { vague: ["numerous researchers"] } });
  });

  test.each<[string, number[]]>([
    ["1,234.5 and 12'000", [1234.5, 12_000]],
    ["$3 million, 2bn, 5k; 7 m", [3e6, 2e9, 5e3, 7e6]],
    ["3 mice, v1.2.3, A4, x5", [3]],
    ["75% (75.0)", [75, 75]],
  ])("reads the text %s as the numbers %j", (text, numbers) => expect(numbersIn(text)).toEqual(numbers));

  test("reads any number back that is written with commas", () => {
    fc.assert(
      fc.property(fc.nat(1e12), (number) => {
        expect(numbersIn(`about ${number.toLocaleString("en-US")} of them`)).toEqual([number]);
      }),
    );
  });
});

describe("the check of citations", () => {
  test.each<[string, string[]]>([
    ["See https://x.test/docs/a, [1] and [^n].\n\n[1]: https://x.test\n[^n]: a note", []],
    ["See (https://x.test/a_(b)). And [this](https://x.test/q).", []],
    ["See [2].\n\n1. First source", ["[2] is not among the sources"]],
    ["See http:// and https://nowhere", ["http:// is no address", "https://nowhere is no address"]],
    ["[docs]() are there", ["[docs]() leads nowhere"]],
    ["In C, a[1] is the second (Smith, 2020).\n\n[1] Ritchie", []],
  ])("finds what is wrong in %j", (text, bad) => expect(checkCitations(text, []).bad).toEqual(bad));

  test("wants them among the valid sources, where there are some", async () => {
    const config = { ground_truth_file: "sources.yaml" };
    const good = "AI was founded in 1956 (McCarthy, 1956), see https://x.test/docs/history.";
    expect((await check("factuality", config, on(good))).outcome).toBe("pass");
    const bad =
      "AI was founded in 1956 (Turing, 1950), see https://x.test.evil/docs and https://x.test/docs2.";
    const verdict = await check("factuality", config, on(bad));
    expect(verdict.outcome).toBe("fail");
    for (const words of [
      "(Turing, 1950) is no",
      "https://x.test.evil/docs is no",
      "https://x.test/docs2 is no",
    ])
      expect(verdict.message).toContain(words);
    expect((await check("factuality", { ...config, check_citations: false }, on(bad))).outcome).toBe("pass");
  });
});

describe("the check factuality, with a judge,", () => {
  const ASK = { ...FACTS, verification_method: "llm_verify" };
  const TEXT = "AI was founded in 1956. Its father is McCarthy. It is blue.";

  async function judged(answer: object | string, given: Given = on(TEXT), method = "llm_verify") {
    const content = typeof answer === "string" ? answer : JSON.stringify(answer);
    const script: Partial<LlmScript> = { default: { content } };
    const llm = await startLlm(script);
    const judge = { model: "judge-1", ask: createAskLlm({ url: llm.url, retries: 0 }) };
    const verdict = await check(
      "factuality",
      { ...ASK, verification_method: method },
      { ...given, services: { judge } },
    );
    return { verdict, llm };
  }

  const absent = [2, 3, 4].map((id) => ({ id, verdict: "absent" }));

  test("asks only about open facts, and counts the answers", async () => {
    const facts = [{ id: 1, verdict: "supported" }, ...absent];
    const { verdict, llm } = await judged({ facts, claims: [{ claim: "It is blue.", verdict: "false" }] });
    expect(verdict).toMatchObject({
      outcome: "fail",
      message: '2 of 3 statements verified, a share of 0.8 expected; false: "It is blue."',
      details: { model: "judge-1", cached: false, claims: [{ claim: "It is blue.", verdict: "false" }] },
    });
    const request = JSON.stringify(llm.reported[0]?.request);
    expect(request).toContain("1. founder of the field: John McCarthy");
    expect(request).not.toContain("2. AI founded");
  });

  test("counts a claim that nothing supports, unless hallucinations do not matter", async () => {
    const answer = {
      facts: [{ id: 1, verdict: "contradicted" }, ...absent],
      claims: [{ claim: "It is blue.", verdict: "unsupported" }],
    };
    expect((await judged(answer, on(TEXT), "rag")).verdict).toMatchObject({ outcome: "fail", score: 1 / 3 });
  });

  test.each([
    ["no JSON", "I think so"],
    ["facts left out", { facts: [], claims: [] }],
    ["a fact that was not asked for", { facts: [...absent, { id: 9, verdict: "absent" }], claims: [] }],
    ["another verdict", { facts: [...absent, { id: 1, verdict: "maybe" }], claims: [] }],
  ])("asks again after an answer with %s, and is then unevaluated", async (_, answer) => {
    const { verdict, llm } = await judged(answer);
    expect(verdict).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("the judge gave no verdict"),
    });
    expect(llm.reported).toHaveLength(2);
  });

  test("is unevaluated without one, with what is known in the details", async () => {
    expect(await check("factuality", ASK, on(TEXT))).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("PROCTOR_JUDGE_URL"),
      details: {
        facts: expect.arrayContaining([
          expect.objectContaining({ subject: "AI founded", status: "confirmed" }),
        ]),
      },
    });
  });
});

test("the check factuality is unevaluated when its file of facts is missing or wrong", async () => {
  expect(await check("factuality", { ground_truth_file: "no.json" }, on("x y z"))).toMatchObject({
    outcome: "unevaluated",
    message: expect.stringContaining("no.json  there is no such file"),
  });
  expect(await check("factuality", { ground_truth_file: "wrong.yaml" }, on("x y z"))).toMatchObject({
    outcome: "unevaluated",
    message: expect.stringContaining('wrong.yaml:2:1  unknown key "fact"'),
  });
  expect(findCheck("factuality")?.files(FACTS)).toEqual(["facts.json"]);
});

test.each([
  {},
  { verification_method: "rag" },
  { ...FACTS, verification_method: "guess" },
  { ...FACTS, min_confidence: 80 },
  { ...FACTS, facts: {} },
])("the check factuality refuses %j", (config) => {
  expect(() => check("factuality", config, {})).toThrow();
});

test("the check factuality stays fast on texts that are made to be slow", async () => {
  const texts = [
    "1,234".repeat(200_000),
    "AI founded in ".repeat(70_000),
    "[1] ".repeat(250_000),
    "https://".repeat(120_000),
    "(A, ".repeat(250_000),
    "is Aa ".repeat(160_000),
    "[a".repeat(400_000),
    ". ".repeat(400_000),
    "AI was founded.\n".repeat(60_000),
  ];
  for (const text of texts) {
    const { message } = await check("factuality", { ground_truth_file: "sources.yaml" }, on(text));
    expect(message, text.slice(0, 20)).not.toContain("too slow");
  }
});
