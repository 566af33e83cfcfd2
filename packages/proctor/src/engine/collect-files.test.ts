// Files that an agent leaves in its workspace, as artifacts of the run: which of them, and within which bounds.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createScriptedDriver, type ScriptedDriver } from "../../test/support/scripted-driver.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import type { Run } from "../core/run.ts";
import { MAX_CHANGED_FILES } from "./collect-files.ts";

let driver: ScriptedDriver;
let test: TestHub;

beforeEach(async () => {
  driver = createScriptedDriver();
  test = await openTestHub({ driver });
});
afterEach(async () => {
  expect(test.problems).toEqual([]);
  await test.close();
});

/** A run whose agent writes these files, and ends. */
async function run(request: Partial<RunRequest>, files: Record<string, string>): Promise<Run> {
  const index = driver.sessions.length;
  const { run: made } = await test.hub.submit({
    agent: "atp+stdio:x",
    task: { description: "write" },
    ...request,
  });
  const session = await driver.session(index);
  const workspace = session.job.context.workspace_path ?? "";
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  session.end();
  return test.ended(made.id);
}

const paths = ({ artifacts }: Run): unknown[] => artifacts.map((artifact) => artifact["path"]);

describe("collect_changed", () => {
  const options = { workspace: { collect_changed: ["**"] } };

  it("takes the files that the agent wrote, with the media type of each", async () => {
    const ended = await run({ options }, { "a.md": "A", "in/b.json": "{}" });
    expect(ended.artifacts).toMatchObject([
      { type: "file", path: "a.md", content_type: "text/markdown" },
      { type: "file", path: "in/b.json", content_type: "application/json" },
    ]);
  });

  it("leaves out what a fixture brought, unless the agent changed it", async () => {
    const fixture = temporaryFolder("fixture");
    writeFileSync(join(fixture, "same.txt"), "same");
    writeFileSync(join(fixture, "other.txt"), "old");
    const ended = await run(
      { options: { workspace: { ...options.workspace, fixture } } },
      { "other.txt": "new" },
    );
    expect(paths(ended)).toEqual(["other.txt"]);
  });

  it("looks into a directory of the client's own, which stays", async () => {
    const folder = temporaryFolder("clients-own");
    writeFileSync(join(folder, "before.txt"), "before");
    symlinkSync("/etc/hostname", join(folder, "link"));
    const context = { workspace_path: folder };
    expect(paths(await run({ context, options }, { "first.txt": "1" }))).toEqual(["first.txt"]);
    expect(paths(await run({ context, options }, { "second.txt": "2" }))).toEqual(["second.txt"]);
    expect(paths(await run({ context }, { "third.txt": "3" }))).toEqual([]);
  });

  it("takes only files that match its patterns", async () => {
    const wanted = { workspace: { collect_changed: ["*.md"] } };
    expect(paths(await run({ options: wanted }, { "a.md": "A", "b.txt": "B" }))).toEqual(["a.md"]);
  });

  it("takes a limited number of files, and says that there are more", async () => {
    const names = Array.from({ length: MAX_CHANGED_FILES + 1 }, (_, index) => [`f${index}`, "x"] as const);
    const ended = await run({ options }, Object.fromEntries(names));
    expect(ended.artifacts).toHaveLength(MAX_CHANGED_FILES);
    const said = (await test.log(ended.id)).find(({ type }) => type === "log");
    expect(said?.payload).toMatchObject({
      stream: "platform",
      text: expect.stringContaining(`more than ${MAX_CHANGED_FILES} files`),
    });
  });
});
