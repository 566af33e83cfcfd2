// The pytest fixtures with a real pytest and the built program.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_PYTHON, ROOT, startPython } from "./python-agent.ts";

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const reason = NO_PYTHON === false ? (hasPytest ? false : "pytest is not installed here") : NO_PYTHON;
// oxlint-disable-next-line no-console -- the reader of the report should know why nothing ran
if (reason !== false) console.warn(`skipped: ${reason}`);

describe("the pytest fixture of the scripted agent", () => {
  it.skipIf(reason !== false)("serves the tests of a session, and is gone after them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "proctor-pytest-"));
    const document = readFileSync(
      join(ROOT, "packages/proctor/src/doubles/scripted/corpus/responses.jsonc"),
      "utf8",
    );
    const responses = JSON.stringify(JSON.parse(document.replaceAll(/ ?\/\/ .*$/gm, "")));
    const run = startPython(
      [
        "-m",
        "pytest",
        "-p",
        "proctor_testing.plugin",
        "-p",
        "no:cacheprovider",
        "-q",
        join(ROOT, "sdk/python/test/fixtures/pytest"),
      ],
      {},
      {
        PYTHONPATH: join(ROOT, "sdk/python"),
        PROCTOR: `${process.execPath} ${join(ROOT, "packages/proctor/bin/proctor.js")}`,
        RESPONSES: responses,
        TMPDIR: folder,
      },
    );
    const { code } = await run.ended;
    await rm(folder, { recursive: true, force: true });
    expect(`${run.stdout()}${run.stderr()}`).toContain("11 passed");
    expect(code).toBe(0);
  });

  it("is found by pytest without being asked for", () => {
    const project = readFileSync(join(ROOT, "sdk/python/pyproject.toml"), "utf8");
    expect(project).toContain('[project.entry-points.pytest11]\nproctor = "proctor_testing.plugin"');
  });
});
