import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findSuites } from "./find-suites.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-find-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function find(name: string, files: Record<string, string>): Promise<string[]> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name, file)), { recursive: true });
    await writeFile(join(folder, name, file), text);
  }
  return (await findSuites(join(folder, name), name)).map((file) =>
    file.slice(join(folder, name).length + 1),
  );
}

test("a folder of suites gives its suites, without the files that they only use", async () => {
  expect(
    await find("mixed", {
      "a.yaml": "test_suite: a\ninclude: [parts/shared.yaml]\n",
      "b.yml": "tests: []\n",
      "broken.yaml": "a: b: c\n",
      "typo.yaml": "test_suit: x\ntests: []\n",
      "tools.yaml": "tools: []\n",
      "rows.yaml": "- {a: 1}\n",
      "parts/shared.yaml": "tests: [{id: x}]\n",
      "parts/deep.suite.mjs": "export default {};\n",
      "parts/other.mjs": "",
      "types.suite.ts": "",
      "node_modules/x/y.yaml": "test_suite: no\n",
      ".hidden/y.yaml": "test_suite: no\n",
    }),
  ).toEqual(["a.yaml", "b.yml", "broken.yaml", "parts/deep.suite.mjs", "types.suite.ts", "typo.yaml"]);
});

test("a folder without a suite is refused", async () => {
  await expect(find("none", { "tools.yaml": "tools: []\n" })).rejects.toThrow(
    "none  holds no suite\nsuites are files that end in .yaml",
  );
});
