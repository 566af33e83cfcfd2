// Checks of style, and the measures behind them.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";
import { isPassive } from "../style/passive-voice.ts";
import { toProse, wordsOf } from "../style/prose.ts";
import { countSyllables } from "../style/readability.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const on = (text: string) => ({ artifacts: [file("1", "a.md")], bytes: { "1": text } });

const PLAIN =
  "The cat sat on the mat. It was a big cat, and it had a red hat. The dog saw it and ran to them.";
const HARD =
  "Notwithstanding considerable methodological heterogeneity, the aforementioned investigations demonstrate that organizational transformation initiatives necessitate comprehensive interdisciplinary collaboration.";
const GERMAN = "Der Hund läuft über die Straße, und die Katze schläft im Haus. Es war ein schöner Tag.";

describe("splitting prose", () => {
  test.each([
    ["One. Two! Three? Four", 4],
    ["Dr. Smith met J. Doe, e.g. Here, in the U.S. Army.", 1],
    ["Version 1.5 costs 3.20 euros. Good.", 2],
    ['He said "No." She left. See No. 5 for it.', 3],
    ["# Heading\nText under it\n\n- one\n- two\n1. three", 5],
    ["Text.\n\n```js\nconst a = 1. B;\n```\n\nMore.", 2],
    ["| a. B | c |\n|---|---|\nAfter the table.", 1],
    ["See [this](http://x.test/a.b. C) now. https://a.test/x?y. ada@example.com", 1],
    ["", 0],
    ["12 + 34 = 46", 0],
  ])("finds in %j this many sentences: %d", (text, count) => {
    expect(toProse(text).raw).toHaveLength(count);
  });

  test.each([
    ["make", 1],
    ["table", 2],
    ["wanted", 2],
    ["named", 1],
    ["boxes", 2],
    ["media", 3],
    ["nation", 2],
    ["beautiful", 3],
    ["university", 5],
    ["don't", 1],
    ["well-known", 2],
    ["x", 1],
  ])("finds in %s this many syllables: %d", (word, count) => expect(countSyllables(word)).toBe(count));

  test("loses no word between its sentences, and never fails", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const { sentences, raw, words } = toProse(text);
        expect(raw).toHaveLength(sentences.length);
        expect(words).toEqual(sentences.flat());
      }),
    );
  });
});

test.each([
  ["The report was written by Ada.", true],
  ["It has been carefully reviewed.", true],
  ["The tests aren't run.", true],
  ["It's built on sand.", true],
  ["They got caught.", true],
  ["Ada wrote the report.", false],
  ["She is tired and was excited.", false],
  ["The need is great.", false],
  ["There are hundred reasons.", false],
])("whether a sentence is passive is decided for: %s", (sentence, passive) =>
  expect(isPassive(wordsOf(sentence))).toBe(passive),
);

describe("the check readability", () => {
  test.each<[string, object, string, string]>([
    [PLAIN, { min_flesch_reading_ease: 80 }, "pass", "reading ease (Flesch) "],
    [HARD, { min_flesch_reading_ease: 30 }, "unevaluated", "too few common English words"],
    [`${PLAIN} ${HARD}`, { max_flesch_kincaid_grade: 5 }, "fail", "grade (Flesch-Kincaid) "],
    [PLAIN, { max_smog_grade: 5, max_coleman_liau_grade: 6 }, "pass", "grade (SMOG) "],
    [GERMAN, { max_smog_grade: 5 }, "unevaluated", "only English is known here"],
    ["Too short.", { max_smog_grade: 5 }, "unevaluated", "only 2 words of prose, at least 10 needed"],
  ])("of %s with %j is %s", async (text, config, outcome, message) => {
    expect(await check("readability", config, on(text))).toMatchObject({
      outcome,
      message: expect.stringContaining(message),
    });
  });

  test("has the figures of the formulas", async () => {
    // 10 words, 2 sentences, 11 syllables, 37 letters, one word of three syllables or more.
    const text = "The cat is on the mat. It is my umbrella.";
    const { details } = await check("readability", { max_smog_grade: 99 }, on(text));
    expect(details).toEqual({
      metrics: {
        flesch_reading_ease: round(206.835 - 1.015 * 5 - 84.6 * 1.2),
        flesch_kincaid_grade: round(0.39 * 5 + 11.8 * 1.2 - 15.59),
        smog_grade: round(1.043 * Math.sqrt(15) + 3.1291),
        coleman_liau_grade: round(5.88 * 3 - 29.6 * 0.2 - 15.8),
      },
    });
  });
});

test.each<[string, object, string]>([
  [
    "The report was written by us. It was sent to them. We are happy with it now.",
    { max_passive_voice_percentage: 50 },
    "fail",
  ],
  [
    "We wrote the report for you. We sent it to them, and they like it.",
    { max_passive_voice_percentage: 0 },
    "pass",
  ],
  [GERMAN, { max_passive_voice_percentage: 50 }, "unevaluated"],
])("the check passive_voice judges %s", async (text, config, outcome) => {
  expect((await check("passive_voice", config, on(text))).outcome).toBe(outcome);
});

test.each<[string, string, string]>([
  ["Therefore, the data shall be reviewed, and furthermore it must be kept as is.", "formal", "pass"],
  ["Hey, that's awesome stuff, you're gonna love it and so will the guys!", "casual", "pass"],
  ["Hey, that's awesome stuff, you're gonna love it and so will the guys!", "formal", "fail"],
  ["Thank you for all the help! We hope you enjoy it, and you are welcome.", "friendly", "pass"],
  [
    "The analysis of the data provides evidence for the strategy, and we recommend it.",
    "professional",
    "pass",
  ],
  ["The cat sat on the mat, and it was there for all of the day.", "professional", "fail"],
  [GERMAN, "formal", "unevaluated"],
])("the check tone of %s for %s is %s", async (text, tone, outcome) => {
  const verdict = await check("tone", { expected_tone: tone }, on(text));
  expect(verdict).toMatchObject({ outcome });
  expect((await check("not_tone", { expected_tone: tone }, on(text))).outcome).toBe(
    { pass: "fail", fail: "pass", unevaluated: "unevaluated" }[outcome],
  );
});

describe("the check sentence_length", () => {
  test.each<[object, string, string]>([
    [{ max_avg_sentence_length: 9 }, "pass", "average sentence 8.33 words, at most 9 expected"],
    [{ max_avg_sentence_length: 8 }, "fail", "average sentence 8.33 words, at most 8 expected"],
    [{ min_avg_sentence_length: 9 }, "fail", "average sentence 8.33 words, at least 9 expected"],
    [
      { max_sentence_length: 9 },
      "fail",
      'longest sentence 11 words, at most 9 expected: "It was a big cat, and it had a red hat."',
    ],
    [
      { max_sentence_length: 11, max_avg_sentence_length: 3 },
      "fail",
      "average sentence 8.33 words, at most 3 expected",
    ],
  ])("with %j is %s", async (config, outcome, message) => {
    expect(await check("sentence_length", config, on(PLAIN))).toMatchObject({ outcome, message });
  });

  test("knows any language, and texts inside data", async () => {
    const given = { artifacts: [structured("1", "d", { body: GERMAN, n: 3 })] };
    expect((await check("sentence_length", { max_sentence_length: 12 }, given)).outcome).toBe("pass");
  });

  test("is unevaluated without prose, and fails without a text", async () => {
    expect((await check("sentence_length", { max_sentence_length: 9 }, on("1 2 3"))).outcome).toBe(
      "unevaluated",
    );
    expect(await check("sentence_length", { max_sentence_length: 9 }, {})).toMatchObject({
      outcome: "fail",
      message: "no text; the run produced no artifacts",
    });
  });
});

describe("the check style_rules", () => {
  test.each<[object, string, string]>([
    [{ forbidden_words: ["HAT", "mouse"] }, "fail", 'forbidden words: "HAT"'],
    [{ forbidden_words: ["at", "mouse"] }, "pass", "no forbidden words"],
    [{ forbidden_words: ["red\that"] }, "fail", 'forbidden words: "red\\that"'],
    [{ required_words: ["cat", "c++"] }, "fail", 'missing words: "c++"'],
    [{ forbidden_patterns: ["\\bcats?\\b"] }, "fail", 'forbidden patterns: "\\\\bcats?\\\\b"'],
    [
      { required_patterns: ["^THE CAT"], required_words: ["dog"] },
      "pass",
      "all required words; all required patterns",
    ],
  ])("with %j is %s", async (config, outcome, message) => {
    expect(await check("style_rules", config, on(PLAIN))).toMatchObject({ outcome, message });
  });

  test("finds words with signs in them", async () => {
    expect(
      (await check("style_rules", { required_words: ["C++", "Äpfel"] }, on("C++ und äpfel."))).outcome,
    ).toBe("pass");
  });

  test("gives up on a pattern that never ends", async () => {
    const config = { forbidden_patterns: ["^(a+)+$"] };
    expect(await soonTooSlow(() => check("style_rules", config, on(`${"a".repeat(60)}!`)))).toMatchObject({
      outcome: "unevaluated",
      message: expect.stringContaining("is too slow: stopped after 1 s of CPU time"),
    });
  });
});

describe("the check style", () => {
  const config = { max_sentence_length: 12, forbidden_words: ["mouse"], min_flesch_reading_ease: 60 };

  test("joins all limits, with the share of those that hold as its score", async () => {
    expect(await check("style", config, on(PLAIN))).toMatchObject({ outcome: "pass", score: 1 });
    const verdict = await check("style", { ...config, max_sentence_length: 5 }, on(PLAIN));
    expect(verdict).toMatchObject({ outcome: "fail", score: 2 / 3 });
    expect(verdict.message).toMatch(/^longest sentence 11 words/);
  });

  test("fails on a broken limit, even if another cannot be measured", async () => {
    expect((await check("style", config, on(GERMAN))).outcome).toBe("unevaluated");
    expect((await check("style", { ...config, max_sentence_length: 2 }, on(GERMAN))).outcome).toBe("fail");
  });
});

test("the checks of style are unevaluated when something cannot be read, and fail when it is not there", async () => {
  const lost = { artifacts: [file("9", "lost.md")] };
  expect(await check("style", { max_sentence_length: 2 }, lost)).toMatchObject({
    outcome: "unevaluated",
    message: '"lost.md" cannot be read (the hub is gone)',
  });
  expect((await check("style", { max_sentence_length: 2, path: "no.md" }, lost)).outcome).toBe("fail");
});

test.each<[string, object]>([
  ["style", {}],
  ["style", { artifact: "report.md" }],
  ["tone", {}],
  ["tone", { expected_tone: "angry" }],
  ["readability", { max_sentence_length: 3 }],
  ["passive_voice", { max_passive_voice_percentage: 101 }],
  ["style_rules", { forbidden_words: [] }],
  ["style_rules", { forbidden_patterns: ["("] }],
])("the check of style %s refuses %j", (type, config) => {
  expect(() => check(type, config, {})).toThrow();
});

test("the checks of style stay fast on texts that are made to be slow", async () => {
  const config = { max_passive_voice_percentage: 50, max_sentence_length: 10, forbidden_words: ["mouse"] };
  const texts = [
    "a".repeat(1_000_000),
    "](".repeat(400_000),
    "`".repeat(999_999),
    "\n".repeat(999_999),
    ". ".repeat(500_000),
    `. ${"*".repeat(900_000)}`,
    "```\n".repeat(200_000),
    "<a ".repeat(300_000),
    `#${" #".repeat(400_000)}`,
    "is not ".repeat(140_000),
    "a.b@".repeat(200_000),
  ];
  for (const text of texts) {
    const { message } = await check("style", config, on(text));
    expect(message, text.slice(0, 20)).not.toContain("too slow");
  }
  const huge = await check("style", config, on("word ".repeat(500_000)));
  expect(huge).toMatchObject({
    outcome: "unevaluated",
    message: expect.stringContaining("2000000 characters"),
  });
});

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
