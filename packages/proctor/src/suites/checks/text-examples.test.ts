// The examples of docs/reference/checks.md that look at language and facts, or ask a judge: each of them comes out, and says,
// what the document says.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { block, blocks } from "../../../test/support/markdown.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { startLlm } from "../../doubles/llm/harness.case.ts";
import { createAskLlm } from "../judge/ask-llm.ts";
import { loadLlmScript } from "../load-llm-script.ts";
import { check, file, type Given } from "./check-subject.case.ts";

interface Example {
  type: string;
  config: object;
}

const document = readFileSync(new URL("../../../../../docs/reference/checks.md", import.meta.url), "utf8");
const EXPECTED = /^# (pass|fail|unevaluated): (.*)$/gm;

const examples = blocks(document, "yaml")
  .filter((text) => text.startsWith("# of texts\n"))
  .flatMap((text) => {
    const expected = Array.from(text.matchAll(EXPECTED), ([, outcome, message]) => ({ outcome, message }));
    const checks = parse(text) as Example[];
    expect(checks, text).toHaveLength(expected.length);
    return checks.map(({ type, config }, index) => ({
      name: JSON.stringify(config),
      type,
      config,
      expected: expected[index],
    }));
  });

const folder = temporaryFolder("text-examples");
const facts = block(document, "yaml", "# facts.yaml");
writeFileSync(join(folder, "facts.yaml"), facts);
const [dates, numbers, sources] = Array.from(
  /^The second example has (.*)\.$/m.exec(document)?.[1]?.matchAll(/`([^`]*)`/g) ?? [],
  ([, code]) => code,
);
writeFileSync(join(folder, "other-facts.yaml"), `${dates}\n${numbers}\n${sources}\n`);
writeFileSync(join(folder, "judge.yaml"), block(document, "yaml", "# judge.yaml"));

const texts = blocks(document, "text").map((text) => {
  const end = text.indexOf("\n");
  return { name: text.slice(0, end), content: text.slice(end + 1) };
});
const run: Given = {
  folder,
  artifacts: texts.map(({ name }) => file(name, name)),
  bytes: Object.fromEntries(texts.map(({ name, content }) => [name, content])),
  run: { task: { description: "Write release notes" } },
};

test("there are examples of all of them", () => {
  expect(texts.map(({ name }) => name)).toEqual(["notes.md", "refusal.txt", "findings.json"]);
  expect(new Set(examples.map(({ type }) => type)).size).toBe(11);
});

test.each(examples)("$type $name", async ({ type, config, expected }) => {
  const llm = await startLlm(await loadLlmScript(join(folder, "judge.yaml")));
  const judge = { model: "judge", ask: createAskLlm({ url: llm.url, retries: 0 }) };
  const { outcome, message } = await check(type, config, { ...run, services: { judge } });
  expect({ outcome, message }).toEqual(expected);
});
