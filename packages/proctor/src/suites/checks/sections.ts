// Passes when a Markdown text has these sections: a heading that begins with each name, whatever its level and case.
import { z } from "zod";
import type { Check } from "../check.ts";
import { searchTexts } from "../texts/artifact-texts.ts";
import { markdownHeadings } from "../texts/markdown-headings.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { quoted } from "../texts/words.ts";

const config = z.strictObject({
  sections: z.array(z.string().min(1)).min(1).max(1000),
  path: z.string().min(1).optional(),
});

export const sections: Check<z.output<typeof config>> = {
  type: "sections",
  config,
  evaluate(subject, { sections, path }) {
    let missing: readonly string[] = sections;
    let there: readonly string[] = [];
    return searchTexts(subject, {
      path,
      accepts(texts) {
        withinCpuTime("the search", () => {
          for (const text of texts) {
            const headings = markdownHeadings(text);
            const absent = absentFrom(headings, sections);
            if (absent.length < missing.length || there.length === 0) there = headings;
            if (absent.length < missing.length) missing = absent;
          }
        });
        return missing.length === 0;
      },
      found: (name) => `${name} has the sections ${quoted(sections)}`,
      absent: (name) => {
        const what = `no section ${quoted(missing)}`;
        if (name === undefined) return what;
        return `${what} in ${name}, which has ${there.length === 0 ? "none" : quoted(there)}`;
      },
    });
  },
};

function absentFrom(headings: readonly string[], sections: readonly string[]): string[] {
  const lower = headings.map((heading) => heading.toLowerCase());
  return sections.filter((name) => !lower.some((heading) => begins(heading, name)));
}

function begins(heading: string, name: string): boolean {
  const wanted = name.trim().toLowerCase();
  // "Over" is not the beginning of "Overview".
  return heading.startsWith(wanted) && !/^[\p{L}\p{N}]/u.test(heading.slice(wanted.length));
}
