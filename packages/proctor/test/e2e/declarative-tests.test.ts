// Declarative tests through the built program: the example of document 001 as it stands, those of examples/, and what happens when something
// is not as expected.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { startHubProcess } from "../support/hub-process.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("declarative-tests");
const root = fileURLToPath(new URL("../../../..", import.meta.url));
const examples = join(root, "examples/a2a-proxy");
const env = { DATABASE_URL: `file:${join(folder, "proctor.db")}`, ARTIFACTS_DIR: join(folder, "artifacts") };

/** The example of document 001, section 6, with the base64 of the JSON that stands in its comment. */
function documentExample(): string {
  const fixture = new URL("../fixtures/declarative/document-001.yaml", import.meta.url);
  const text = readFileSync(fixture, "utf8");
  const [, comment = ""] = /# The JSON to be base64-encoded[^\n]*\n((?:#[^\n]*\n)+)/.exec(text) ?? [];
  const json = comment.replaceAll(/^# ?/gm, "");
  return text.replace("BASE64_ENCODED_JSON_OF_THE_SCHEMA_BELOW", Buffer.from(json).toString("base64"));
}

async function test(
  name: string,
  text: string,
  ...flags: string[]
): Promise<{ code: number | null; stdout: string }> {
  writeFileSync(join(folder, name), text);
  return runCommand(["test", name, ...flags], { folder, env });
}

interface JsonReport {
  summary: { total: number; passed: number };
}

describe("declarative tests of a gateway", () => {
  it("pass for the example of document 001, section 6", async () => {
    const ended = await test("document.yaml", documentExample());
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("1 passed, 0 failed") as string });
  });

  it("say the same through a hub", async () => {
    const hub = await startHubProcess({ folder: temporaryFolder("declarative-hub"), args: [] });
    try {
      const ended = await test("hub.yaml", documentExample(), "--hub", hub.url);
      expect(ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("1 passed, 0 failed") as string,
      });
    } finally {
      await hub.stop();
    }
  });

  it.each([
    [
      "another text",
      'text_contains: "Done."',
      'text_contains: "Never."',
      /document\S*:39:1/,
      /does not contain "Never\."/,
    ],
    [
      "another state",
      'task_state: "completed"',
      'task_state: "failed"',
      /:39:1/,
      /the task is "completed", not "failed"/,
    ],
    [
      "bytes instead of a reference",
      "uri_reference: true",
      "uri_reference: false",
      /:39:1/,
      /is a reference to an artifact/,
    ],
    [
      "another content",
      'text_exact: "Proxy test successful!"',
      'text_exact: "x"',
      /:56:1/,
      /is not exactly "x"/,
    ],
    ["another version", "version: 1 #", "version: 2 #", /:56:1/, /has no version 2; it has 1/],
  ])("fail on %s, with the place of what was expected", async (what, right, wrong, place, reason) => {
    const text = documentExample();
    expect(text).toContain(right);
    const ended = await test(`document-${what.replaceAll(" ", "-")}.yaml`, text.replace(right, wrong));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(place);
    expect(ended.stdout).toMatch(reason);
  });

  it("pass for every file of examples/a2a-proxy", async () => {
    const ended = await runCommand(["test", examples, "--json"], { folder, env });
    const count = readdirSync(examples).filter((name) => name.endsWith(".yaml")).length;
    expect(JSON.parse(ended.stdout) as JsonReport).toMatchObject({
      summary: { total: count, passed: count },
    });
    expect(ended.code).toBe(0);
  });
});
