import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { printable } from "../../core/printable.ts";
import { escapeMarkdown } from "../../core/escape-markdown.ts";
import { markdownReporter, MAX_CHARACTERS } from "./markdown.ts";
import {
  attempt,
  check,
  COMPARISON,
  CONTESTS,
  everything,
  HOSTILE,
  hostile,
  LONG,
  plan,
  play,
  repeated,
  result,
} from "../../../test/support/reporters/results.ts";
import { anyCharacter } from "../../../test/support/any-character.ts";

const TAG = /<(\/?)(details|summary|code|br)>/g;

/** What a reader sees of an escaped text. */
function decode(text: string): string {
  return text
    .replaceAll("<br>", "\n")
    .replaceAll(/&#(\d+);/g, (_, digits: string) => String.fromCharCode(Number(digits)));
}

/** Every tag is one of ours and closed where it must be; between `<code>` and `</code>` stands no syntax. Returns what stands there. */
function readHtml(text: string): string[] {
  const open: string[] = [];
  for (const [, slash, tag = ""] of text.matchAll(TAG)) {
    if (slash === "/") expect(open.pop()).toBe(tag);
    else if (tag !== "br") open.push(tag);
  }
  expect(open).toEqual([]);
  expect(text.replaceAll(TAG, "")).not.toMatch(/[<>`]/);
  const codes = Array.from(text.matchAll(/<code>(.*?)<\/code>/gs), ([, inner = ""]) => inner);
  for (const inner of codes) expectInert(inner);
  return codes.map(decode);
}

function expectInert(escaped: string): void {
  const text = escaped.replaceAll("<br>", "");
  expect(text).not.toMatch(/[<>`*_~|[\]:@$\\\n\r\t]|#(?!\d+;)|&(?!#\d+;)|www\./i);
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
}

/** The cells of the table: GitHub splits rows at every `|` without a backslash before it. */
const readRows = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1));

test("Markdown has a summary, what did not pass with its reasons folded, the rest folded", () => {
  const { plan: planned, results } = everything();
  // The order of the table is not that in which cases end.
  const text = play(markdownReporter, planned, results.toSpliced(1, 0, results[3]!).slice(0, 4));
  expect(text).toBe(`**1 passed, 2 failed, 1 unevaluated** in 1.2s, interrupted, 1 not run

6 runs, 2 of them passed

| | Case | Suite | Runs | Time | Why |
|---|---|---|---|---|---|
| **failed** | <code>bad &#91;echo&#93;</code><br>Test bad | <code>smoke</code> | 1/3 33 % &#91;6–79 %&#93; | 1.2s | <details><summary>2 reasons</summary><code>2 of 3 runs&#58; contains&#58; "hello" not found</code><br><code>suites/smoke.yaml</code>, line 12, column 9, run <code>r1</code><br><code>unevaluated&#58; 1 of 3 runs&#58; contains&#58; no events</code><br><code>suites/smoke.yaml</code>, line 13, column 9, run <code>r3</code></details> |
| **failed** | <code>crash &#91;echo&#93;</code><br>Test crash | <code>smoke</code> | 0/1 | 1.2s | <details><summary>1 reason</summary><code>the run ended as failed&#58; AGENT&#95;CRASHED&#58; exit 1</code><br><code>suites/smoke.yaml</code>, line 7, column 5, run <code>r4</code></details> |
| unevaluated | <code>lost &#91;echo&#93;</code><br>Test lost | <code>smoke</code> | 0/1 | 1.2s | <details><summary>1 reason</summary><code>unevaluated&#58; the hub is gone</code><br><code>suites/smoke.yaml</code>, line 7, column 5</details> |

<details><summary>1 not run</summary>

- <code>late &#91;echo&#93;</code> of <code>smoke</code>

</details>

<details><summary>1 passed</summary>

- <code>good &#91;echo&#93;</code> of <code>smoke</code> (1.2s)

</details>
`);
});

test("Markdown says what changed since the baseline, who won, what is flaky, and where runs come from", () => {
  const { plan: planned, results, rest } = repeated();
  const text = play(markdownReporter, planned, results, rest);
  expect(text.slice(0, text.indexOf("| |")))
    .toBe(`**2 passed, 2 failed, 1 unevaluated** in 1.2s, stopped by --fail-fast, 5 not run

45 runs, 36 of them passed · 1 resumed, 3 cached, 1 rescored · $0.0800 · 4,000 tokens

<code>worse than baseline.json of 2026-01-01T00&#58;00&#58;00.000Z</code> ↓ 1 regressed  ↑ 1 improved  = 1 unchanged

<details><summary>3 findings</summary>

- ↓ <code>misses &#91;alpha&#93;&#58; 90 % before, 40 % now</code>
- ↑ <code>holds &#91;alpha&#93;&#58; 20 % before, 90 % now</code>
- · <code>costs did not change</code>

</details>

<details><summary>2 contests</summary>

- <code>winner of misses&#58; alpha (quality 0.9 against 0.8)</code>
- <code>no winner of open</code>

</details>

`);
  expect(text).toContain("<summary>1 flaky, and passed all the same</summary>");
  expect(text).toContain("(1.2s, 9/10 90 % &#91;60–98 %&#93;)");
  expect(text).toContain("<code>- Hello, Ada!<br>+ Helo, Ada!</code>");
  readHtml(text);
});

test("Markdown has no table when everything passed", () => {
  const planned = plan(["good"]);
  const text = play(markdownReporter, planned, [result(planned, 0, [attempt("pass")])]);
  expect(text).not.toContain("|");
  expect(text).toContain("<summary>1 passed</summary>");
});

describe("an agent's text in Markdown", () => {
  test("never becomes markup", () => {
    for (const [index, { plan: planned, results }] of hostile().entries()) {
      const text = play(markdownReporter, planned, results);
      const said = printable(HOSTILE[index]!.toWellFormed()).replaceAll("\t", " ");
      const rows = readRows(text);
      expect(rows.map((row) => row.length)).toEqual([6, 6]);
      const [failed = [], unevaluated = []] = rows.map((row) => row.map((cell) => readHtml(cell.trim())));
      expect(failed[1]).toEqual([`${said} [echo]`]);
      expect(failed[2]).toEqual([said]);
      const [reason, words, ...others] = failed[5] ?? [];
      expect(reason).toBe(said);
      expect(words).toMatch(/^it printed:\n\s+x/);
      // After the second reason's place and run stands what differs.
      expect(others.toSpliced(5, 1)).toEqual([
        said,
        "r1",
        `contains: ${said}`,
        said,
        "r1",
        `unevaluated: contains: ${said}`,
        said,
        "r1",
        expect.stringMatching(/^turn 1 \(pass\)\n[^]*\nended: the user has what it wants$/),
      ]);
      expect(others[5]).toMatch(/^[-+ …] /m);
      expect(unevaluated[1]).toEqual([`${said}! [echo]`]);
      expect(readHtml(text)).toContain(`${said}? [echo]`);
      // A line is one of ours: nothing said begins one.
      const OURS = /^(?:$|\*\*\d|\| |\|---|- <code>|<details><summary>\d+ |<\/details>$|Left out)/;
      for (const line of text.split("\n")) expect(line).toMatch(OURS);
    }
  });

  test("stays inert with any combination of characters", () => {
    assert(
      property(string({ unit: anyCharacter }), (text) => {
        const escaped = escapeMarkdown(text);
        expectInert(escaped);
        expect(decode(escaped)).toBe(printable(text.toWellFormed()).replaceAll("\t", " "));
      }),
    );
    expect(escapeMarkdown("WWW.x www.y")).toBe("&#87;WW.x &#119;ww.y");
  });
});

describe("a Markdown comment of 60,000 characters", () => {
  test("has room for the worst case with its reasons", () => {
    for (const worst of [LONG, "\u001b".repeat(1_000_000), "|".repeat(1_000_000), "\n".repeat(1_000_000)]) {
      const planned = plan([worst], { name: worst, file: worst });
      const details = { expected: worst, actual: `\n${worst}` };
      const checks = Array.from({ length: 9 }, (_, line) =>
        check("fail", worst, line + 1, { file: worst, details }),
      );
      const failed = attempt("fail", { checks, runId: worst });
      const text = play(markdownReporter, planned, [result(planned, 0, [failed])], {
        contests: Array.from({ length: 60 }, () => ({
          ...CONTESTS[0]!,
          test_id: worst,
          winner: worst,
          reason: worst,
        })),
        comparison: {
          ...COMPARISON,
          before: { name: worst, created_at: worst },
          findings: Array.from({ length: 60 }, () => worst),
        },
      });
      expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
      expect(readRows(text)).toHaveLength(1);
      expect(text).toContain("<summary>9 reasons</summary>");
      expect(text).toContain("<summary>60 findings</summary>");
      expect(text).toContain("and 4 more</details>");
      readHtml(text);
    }
  });

  test("shows failures first, and notes what is left out", () => {
    const ids = Array.from({ length: 3000 }, (_, index) => `case-${index}`);
    const planned = plan(ids);
    const outcomes = ["pass", "unevaluated", "fail"] as const;
    const results = ids.map((_, index) => result(planned, index, [attempt(outcomes[index % 3]!)]));

    const text = play(markdownReporter, planned, results);

    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(text.length).toBeGreaterThan(MAX_CHARACTERS - 3000);
    const rows = readRows(text);
    expect(new Set(rows.map(([mark = ""]) => mark.trim()))).toEqual(new Set(["**failed**"]));
    expect(text).toContain("**1000 passed, 1000 failed, 1000 unevaluated**");
    expect(text.trimEnd().split("\n").at(-1)).toBe(
      `Left out, because a comment has room for 60000 characters only: ${1000 - rows.length} failed, 1000 unevaluated, 1000 passed.`,
    );
  });

  test("lists as many passed cases as fit", () => {
    const ids = Array.from({ length: 3000 }, (_, index) => `case-${index}`);
    const planned = plan(ids);
    const results = ids.map((_, index) => result(planned, index, [attempt(index === 9 ? "fail" : "pass")]));
    const text = play(markdownReporter, planned, results);
    const listed = text.split("\n").filter((line) => line.startsWith("- ")).length;
    expect(text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(listed).toBeGreaterThan(500);
    expect(text).toContain(`only: ${2999 - listed} passed.`);
  });
});
