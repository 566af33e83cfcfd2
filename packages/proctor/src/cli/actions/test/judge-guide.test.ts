// Holds the guide to judges to what it says: its suite and its mock, from the command line, twice.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { block, lines } from "../../../../test/support/markdown.ts";
import { runProgram } from "../../../../test/support/program.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { startLlm } from "../../../../test/support/doubles/mock-llm-harness.ts";
import { loadLlmScript } from "../../../suites/load-llm-script.ts";

const read = (name: string): string =>
  readFileSync(new URL(`../../../../../../docs/guides/${name}.md`, import.meta.url), "utf8");
const guide = read("judge");
const folder = temporaryFolder("judge-guide");

test("the guide to judges has a suite with the results it shows, which costs nothing the second time", async () => {
  writeFileSync(join(folder, "agent.mjs"), block(read("first-agent"), "js", "// agent.mjs"));
  writeFileSync(join(folder, "suite.yaml"), block(guide, "yaml", "# suite"));
  writeFileSync(join(folder, "judge.yaml"), block(guide, "yaml", "# judge.yaml"));
  const key = "sk-guide-0123456789";
  const llm = await startLlm(await loadLlmScript(join(folder, "judge.yaml")), { key });
  const env = { PROCTOR_JUDGE_URL: llm.url, PROCTOR_JUDGE_MODEL: "mock", PROCTOR_JUDGE_API_KEY: key };
  const run = () => runProgram(["test", "suite.yaml"], { folder, env });

  const first = await run();
  expect(first.code).toBe(1);
  const documented = lines(block(guide, "", "$ proctor test suite.yaml"))
    .slice(1)
    .filter((line) => line !== "");
  expect(lines(first.stdout)).toEqual(expect.arrayContaining(documented));
  expect(llm.reported).toHaveLength(2);

  // The judge is not asked again: it is not even there.
  await llm.close();
  const second = await run();
  expect(lines(second.stdout)).toEqual(expect.arrayContaining(documented));
  const kept = readdirSync(join(folder, ".proctor"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect(kept.join("\n")).not.toContain(key);

  const without = await runProgram(["test", "suite.yaml"], { folder });
  expect(without.code).toBe(3);
  expect(without.stderr).toContain("set PROCTOR_JUDGE_URL and PROCTOR_JUDGE_MODEL");
});
