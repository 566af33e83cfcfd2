// Passes when a text that the run produced is much like this one, letter by letter.
import { z } from "zod";
import type { Check } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { searchTexts } from "../texts/artifact-texts.ts";
import { MAX_COMPARED_CHARS, similarityOf } from "../texts/edit-distance.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

const LIMIT_MS = 5000;

const config = z.strictObject({
  text: z.string().min(1).max(MAX_COMPARED_CHARS),
  at_least: z.number().gt(0).max(1),
  path: z.string().min(1).optional(),
});

export const similarity: Check<z.output<typeof config>> = {
  type: "similarity",
  config,
  async evaluate(subject, { text, at_least: least, path }) {
    let best = 0;
    let looked = false;
    const what = quote(text, 60);
    // Rounded down: what is shown as reached was reached.
    const percent = (share: number): string => (Math.floor(share * 1000) / 1000).toString();
    const result = (): string => `resembles ${what} by ${percent(best)}, at least ${least} expected`;
    const verdict = await searchTexts(subject, {
      path,
      accepts(texts) {
        looked = true;
        const short = texts.filter(({ length }) => length <= MAX_COMPARED_CHARS);
        withinCpuTime(
          "the comparison",
          () => {
            for (const found of short) best = Math.max(best, similarityOf(found, text));
          },
          LIMIT_MS,
        );
        if (best < least && short.length < texts.length)
          throw new Error(`it is longer than ${MAX_COMPARED_CHARS} characters`);
        return best >= least;
      },
      found: (name) => `${name} ${result()}`,
      absent: (name) => `${name ?? "the closest"} ${result()}`,
      excerpt: "text",
      expected: text,
    });
    return looked && verdict.outcome !== "unevaluated" ? { ...verdict, score: best } : verdict;
  },
};
