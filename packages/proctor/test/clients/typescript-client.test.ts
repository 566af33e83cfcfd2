// A client that is generated from `/openapi.json` with openapi-typescript compiles strictly, and does what its names say.
import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";

const run = promisify(execFile);
const folder = temporaryFolder("typescript-client");
const nodeModules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");

const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, operations, paths } from "./schema.js";

const client = createClient<paths>({ baseUrl: process.argv[2] ?? "" });
const agent = JSON.parse(process.argv[3] ?? "") as components["schemas"]["AgentSpec"];

function must<T>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> {
  if (data == null) throw new Error(JSON.stringify(error));
  return data;
}

const run = must(await client.POST("/runs", { body: { agent, task: { description: "asked by a client" } } }));
const path = { id: run.id };
const stream: string = must(
  await client.GET("/runs/{id}/events", {
    params: { path, header: {} },
    headers: { accept: "text/event-stream" },
    parseAs: "text",
  }),
) as string;
const ended = must(await client.GET("/runs/{id}", { params: { path } }));
const status: components["schemas"]["RunStatus"] = ended.status;
const page = must(await client.GET("/runs", { params: { query: { status: ["completed"], limit: 1 } } }));

const { agent: task } = must(await client.POST("/api/tasks", { body: { task: "done by hand" } }));
const inTask = { task_id: task.id };
const step = must(await client.POST("/api/tasks/{task_id}/steps", { params: { path: inTask }, body: { name: "first" } }));
const artifact = must(
  await client.POST("/api/tasks/{task_id}/steps/{step_id}/artifacts", {
    params: { path: { ...inTask, step_id: step.step_id } },
    body: { file: "hello" },
    bodySerializer({ file }) {
      const form = new FormData();
      form.append("file", new Blob([file]), "hello.txt");
      return form;
    },
  }),
);
const changed = must(
  await client.PATCH("/api/tasks/{task_id}/steps/{step_id}", {
    params: { path: { ...inTask, step_id: step.step_id } },
    body: { status: "completed", is_last: true },
  }),
);

const official = must(await client.POST("/ap/v1/agent/tasks", { body: { input: "official" } }));
type Executed = operations["executeAgentTaskStep"]["responses"][200]["content"]["application/json"];
const executed: Executed = must(
  await client.POST("/ap/v1/agent/tasks/{task_id}/steps", {
    params: { path: { task_id: official.task_id } },
    body: {},
  }),
);
const refused = await client.GET("/runs/{id}", { params: { path: { id: "none" } } });
const code: components["schemas"]["ErrorCode"] | undefined = refused.error?.code;

console.log(
  JSON.stringify({
    status,
    frames: stream.includes("run.ended"),
    listed: page.items.length,
    artifact: artifact.file_name,
    step: changed.status,
    executed: executed.status,
    code,
  }),
);
`;

let hub: HubProcess;
beforeAll(async () => {
  hub = await startHubProcess({ folder });
});
afterAll(() => hub.stop());

it(
  "a client from openapi-typescript drives runs, tasks and the Agent Protocol",
  { timeout: 240_000 },
  async () => {
    const source = join(folder, "client");
    await mkdir(source);
    await symlink(nodeModules, join(folder, "node_modules"));
    const document = await hub.get<Parameters<typeof openapiTS>[0]>("/openapi.json");
    await writeFile(join(source, "schema.ts"), astToString(await openapiTS(document)));
    await writeFile(join(source, "main.ts"), PROGRAM);
    await writeFile(join(source, "package.json"), '{"type":"module"}');
    const flags = ["--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
    const types = ["--types", "node", "--typeRoots", join(nodeModules, "@types")];
    const compiled = await run(process.execPath, [tsc, ...flags, ...types, "main.ts"], { cwd: source }).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    );
    expect(compiled.stdout).toBe("");
    const agent = JSON.stringify(fixture("steps", "3"));
    const { stdout } = await run(process.execPath, ["main.js", hub.url, agent], { cwd: source });
    expect(JSON.parse(stdout)).toEqual({
      status: "completed",
      frames: true,
      listed: 1,
      artifact: "hello.txt",
      step: "completed",
      executed: "completed",
      code: "RUN_NOT_FOUND",
    });
  },
);
