// Every folder in examples/ does what it says it does.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { expect, it } from "vitest";
import { atpResponse } from "../../src/protocols/atp/wire.ts";
import { runProgram } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const data = temporaryFolder("examples");
/** Examples are run from the checkout; what they leave behind goes elsewhere. */
const env = { DATABASE_URL: `file:${join(data, "proctor.db")}`, ARTIFACTS_DIR: join(data, "artifacts") };
const python = spawnSync("python3", ["--version"]).status === 0;
const NO_PYTHON = "python3 is not installed here";
/** Of the program that document 000 prints under "Minimal Agent Implementation (Python)". */
const DOCUMENT_000_AGENT = "f37a225c3a2e182794da4fd2aec18b07c559c765d41743cfc32386f609b9207e";

it("covers every folder", () => {
  expect(readdirSync(join(root, "examples")).toSorted()).toEqual([
    "first-suite",
    "minimal-node",
    "minimal-python",
    "mock-tools",
    "sdk-python",
    "sdk-typescript",
  ]);
});

async function expectProcessed(command: string): Promise<void> {
  const args = ["run", "--agent", `atp+stdio:${command}`, "--task", "Say hello", "--json"];
  const ended = await runProgram(args, { folder: root, env });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(atpResponse.parse(JSON.parse(ended.stdout))).toMatchObject({
    status: "completed",
    artifacts: [{ type: "structured", name: "result", data: { output: "Processed: Say hello" } }],
  });
}

it("minimal-node answers", async () => {
  await expectProcessed("node examples/minimal-node/agent.mjs");
});

it("minimal-python is the agent of document 000, byte for byte", () => {
  const bytes = readFileSync(join(root, "examples/minimal-python/agent.py"));
  expect(createHash("sha256").update(bytes).digest("hex")).toBe(DOCUMENT_000_AGENT);
});

it("minimal-python answers", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  await expectProcessed("python3 examples/minimal-python/agent.py");
});

it("sdk-typescript answers", async () => {
  await expectProcessed("node examples/sdk-typescript/agent.mjs");
});

it("sdk-python answers", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  await expectProcessed("python3 examples/sdk-python/agent.py");
});

it("first-suite passes", async ({ skip }) => {
  if (!python) skip(NO_PYTHON);
  const ended = await runProgram(["test", "examples/first-suite/suite.yaml"], { folder: root, env });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(ended.stdout).toMatch(/4 passed, 0 failed/);
});
