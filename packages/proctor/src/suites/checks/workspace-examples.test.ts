// The examples of docs/reference/checks.md that look into a workspace, or at several runs: each of them comes out, and
// says, what the document says.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { block, blocks } from "../../../test/support/markdown.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { AttemptResult } from "../result.ts";
import type { Verdict } from "../verdict.ts";
import { check } from "./check-subject.case.ts";
import { findCaseCheck } from "./registry.ts";
import { given, withTools, workspaceWith, writeFiles } from "./workspace.case.ts";

interface Example {
  type: string;
  config?: object;
}

const document = readFileSync(new URL("../../../../../docs/reference/checks.md", import.meta.url), "utf8");
const EXPECTED = /^# (pass|fail|unevaluated): (.*)$/gm;

/** The blocks that begin so, as what each of their checks should come to. */
function examplesOf(first: string): { name: string; example: Example; expected: object; head: string }[] {
  return blocks(document, "yaml").flatMap((text) => {
    const [head = ""] = text.split("\n");
    if (!head.startsWith(first)) return [];
    const expected = Array.from(text.matchAll(EXPECTED), ([, outcome, message]) => ({ outcome, message }));
    const checks = parse(text) as Example[];
    expect(checks, text).toHaveLength(expected.length);
    return checks.map((example, index) => {
      const said = expected[index] ?? {};
      return {
        name: `${example.type} ${JSON.stringify(example.config ?? {})}`,
        example,
        expected: said,
        head,
      };
    });
  });
}

/** Finds what the real one finds in calc.py, where nobody has to have it. */
const RUFF = `#!/bin/sh
echo '[{"code":"F401","message":"\`os\` imported but unused","filename":"calc.py","location":{"row":2}}]'
exit 1
`;

const folder = temporaryFolder("workspace-examples");
const language: Record<string, string> = { mjs: "js", py: "python" };
const documented = (path: string): string => {
  const kind = language[path.split(".").at(-1) ?? ""] ?? "";
  return block(document, kind, `${kind === "python" ? "#" : "//"} ${path}`);
};
const sources = ["calc.mjs", "calc.test.mjs", "calc.py", "tests/test_calc.py"];
const workspace = workspaceWith(join(folder, "workspace"), {
  ...Object.fromEntries(sources.map((path) => [path, documented(path)])),
  "package.json": blocks(document, "json").find((text) => text.includes("calc.test.mjs")) ?? "",
});
writeFiles(folder, { "checks/short.mjs": documented("checks/short.mjs") });
const runCommand = withTools(join(folder, "tools"), { ruff: RUFF });

test.for(examplesOf("# in the workspace"))("$name", async ({ example, expected }, { skip }) => {
  const { type, config = {} } = example;
  if (type === "pytest" && spawnSync("python3", ["-m", "pytest", "--version"]).status !== 0)
    skip("there is no pytest here");
  const { outcome, message } = await check(
    type,
    config,
    given(workspace, { folder, services: { runCommand } }),
  );
  expect({ outcome, message }).toEqual(expected);
});

test.each(examplesOf("# of runs that took"))("$name", ({ example, expected, head }) => {
  const times = Array.from(head.matchAll(/\d+/g), ([number]) => Number(number));
  // Only what the check looks at.
  const attempts = times.map((time) => ({ metrics: { wall_time_seconds: time } }) as AttemptResult);
  const found = findCaseCheck(example.type);
  const verdict: Verdict | undefined = found?.bind(found.config.parse(example.config))(attempts);
  expect(verdict).toEqual(expected);
});
