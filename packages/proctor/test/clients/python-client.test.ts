// A client that is generated from `/openapi.json` with openapi-python-client leaves nothing out, and does what its names say.
import { execFile } from "node:child_process";
import { copyFile, readdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenApiDocument } from "../../src/server/openapi.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { pythonPackage } from "../support/python-package.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";

const GENERATOR = "openapi-python-client==0.29.1";
const run = promisify(execFile);

const installed = pythonPackage(GENERATOR);
const { venv } = installed;

const missing = await installed.install();
if (missing !== undefined) console.warn(`skipped: ${missing}`);

describe.skipIf(missing !== undefined)("a client from openapi-python-client", () => {
  const folder = temporaryFolder("python-client");
  const python = join(venv, "bin/python");
  // The generator formats what it writes with a program that is installed beside it.
  const env = { ...process.env, PATH: [join(venv, "bin"), process.env["PATH"]].join(delimiter) };
  let hub: HubProcess;
  let document: OpenApiDocument;
  let said: string;

  beforeAll(async () => {
    hub = await startHubProcess({ folder });
    document = await hub.get<OpenApiDocument>("/openapi.json");
    await writeFile(join(folder, "openapi.json"), JSON.stringify(document));
    const output = ["--output-path", "proctor_client", "--meta", "none"];
    const args = ["-m", "openapi_python_client", "generate", "--path", "openapi.json", ...output];
    const { stdout, stderr } = await run(python, args, { cwd: folder, env, timeout: 200_000 });
    said = stdout + stderr;
  }, 240_000);
  afterAll(() => hub.stop());

  it("is generated without a warning, and has every operation", async () => {
    expect(said.trim()).toBe("Generating proctor_client");
    const files = await readdir(join(folder, "proctor_client/api"), { recursive: true });
    const functions = files.filter((file) => file.endsWith(".py") && !file.endsWith("__init__.py"));
    const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
    expect(functions).toHaveLength(operations.length);
  });

  it("drives runs, tasks and the Agent Protocol", { timeout: 120_000 }, async () => {
    await copyFile(new URL("drive.py", import.meta.url), join(folder, "drive.py"));
    const agent = JSON.stringify(fixture("steps", "3"));
    const { stdout } = await run(python, ["drive.py", hub.url, agent], { cwd: folder, env });
    expect(JSON.parse(stdout)).toEqual({
      status: "completed",
      frames: true,
      events: true,
      artifact: "hello.txt",
      content: "hello",
      step: "completed",
      executed: "completed",
      code: "RUN_NOT_FOUND",
    });
  });
});
