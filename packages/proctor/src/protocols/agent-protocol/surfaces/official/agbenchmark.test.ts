// What agbenchmark does with a server of the Agent Protocol, request by request and check by check, against an agent that only writes
// files: both generations of its client, that of its release 0.0.10 and the later one of the AutoGPT repository.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { openStage, type Stage } from "../../../../../test/support/agent-protocol/surfaces-server.ts";

/** Writes a file at the top and one in a folder, changes one that it was given, and leaves another as it was. */
const AGENT = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, context } = JSON.parse(text);
const place = (...names) => join(context.workspace_path, ...names);
mkdirSync(place("notes", "deep"), { recursive: true });
mkdirSync(place("node_modules", "x"), { recursive: true });
mkdirSync(place(".git"));
writeFileSync(place("output.txt"), "Washington");
writeFileSync(place("notes", "deep", "why.md"), "because");
writeFileSync(place("node_modules", "x", "index.js"), "");
writeFileSync(place(".git", "HEAD"), "");
readFileSync(place("input.csv"), "utf8");
appendFileSync(place("log.txt"), "2");
process.stderr.write(JSON.stringify({ version: "1.0", task_id, timestamp: new Date().toISOString(), sequence: 0, event_type: "progress", payload: { message: "wrote it" } }) + "\\n");
process.stdout.write(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts: [{ type: "structured", name: "result", data: { output: "done" } }] }) + "\\n");
`;

/** As its client checks what it gets, with pydantic: a text is required where it says so. */
const ARTIFACT = z.looseObject({
  created_at: z.string(),
  artifact_id: z.string(),
  agent_created: z.boolean(),
  file_name: z.string(),
  relative_path: z.string().nullish(),
});
const STEP = z.looseObject({
  step_id: z.string(),
  task_id: z.string(),
  name: z.string().nullish(),
  status: z.enum(["created", "running", "completed"]),
  output: z.string().nullish(),
  additional_output: z.record(z.string(), z.unknown()).nullish(),
  artifacts: z.array(ARTIFACT),
  is_last: z.boolean(),
});
const TASK = z.looseObject({ task_id: z.string(), artifacts: z.array(ARTIFACT) });
const LIST = z.looseObject({
  artifacts: z.array(ARTIFACT),
  pagination: z.object({
    total_items: z.int(),
    total_pages: z.int(),
    current_page: z.int(),
    page_size: z.int(),
  }),
});

type ArtifactShown = z.infer<typeof ARTIFACT>;
/** Where a client of one generation puts a file, below its own folder. */
type Place = (artifact: ArtifactShown) => string;

const release: Place = ({ relative_path: path, file_name: name }) => join(path ?? "", name);
const later: Place = ({ relative_path: path, file_name: name }) =>
  join(path === null || path === undefined ? "" : dirname(path), name);

let stage: Stage;
const folder = temporaryFolder("agbenchmark");

beforeAll(async () => {
  const file = join(folder, "agent.mjs");
  writeFileSync(file, AGENT);
  stage = await openStage({ realAgent: `atp+stdio:${process.execPath} ${file}` });
});
afterAll(() => stage.close());

async function ask<T>(schema: z.ZodType<T>, path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(`${stage.url}/ap/v1/agent/tasks${path}`, init);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return schema.parse(JSON.parse(text));
}

const JSON_TYPE = { "content-type": "application/json" };

/** `run_api_agent`: create, upload, step until the last, list, download. */
async function benchmark(generation: Place, into: string): Promise<z.infer<typeof STEP>[]> {
  const body = JSON.stringify({
    input: "Write the word 'Washington' to a .txt file",
    additional_input: null,
  });
  const { task_id: task } = await ask(TASK, "", { method: "POST", headers: JSON_TYPE, body });
  for (const [name, content] of [
    ["input.csv", "a,b"],
    ["log.txt", "1"],
  ] as const) {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    await ask(ARTIFACT, `/${task}/artifacts`, { method: "POST", body: form });
  }
  const steps: z.infer<typeof STEP>[] = [];
  do steps.push(await ask(STEP, `/${task}/steps`, { method: "POST", headers: JSON_TYPE }));
  while (steps.at(-1)?.is_last === false && steps.length < 20);

  const { artifacts } = await ask(LIST, `/${task}/artifacts?current_page=1&page_size=10`);
  for (const artifact of artifacts) {
    const place = join(into, generation(artifact));
    await mkdir(dirname(place), { recursive: true });
    const answer = await fetch(`${stage.url}/ap/v1/agent/tasks/${task}/artifacts/${artifact.artifact_id}`);
    await writeFile(place, new Uint8Array(await answer.arrayBuffer()));
  }
  return steps;
}

describe.each([
  ["0.0.10", release],
  ["later", later],
])("agbenchmark's client, %s,", (name, generation) => {
  const into = join(folder, name);

  it("comes to the last step, and finds what the agent wrote and changed", async () => {
    const steps = await benchmark(generation, into);
    expect(steps.map(({ output }) => output)).toEqual(["wrote it", "done"]);
    expect(await readFile(join(into, "output.txt"), "utf8")).toBe("Washington");
    expect(await readFile(join(into, "log.txt"), "utf8")).toBe("12");
    expect(await readFile(join(into, "input.csv"), "utf8")).toBe("a,b");
  });
});

it("the official API shows files with their folder, each once, and none that tools leave", async () => {
  await benchmark(release, join(folder, "again"));
  const { items } = await stage.hub.runs({ limit: 1 });
  const { artifacts } = await ask(LIST, `/${items[0]?.id}/artifacts`);
  const shown = artifacts.map(({ relative_path: path, file_name: file, agent_created: byAgent }) => [
    path,
    file,
    byAgent,
  ]);
  expect(shown).toEqual([
    [null, "input.csv", false],
    [null, "log.txt", false],
    [null, "result", true],
    [null, "log.txt", true],
    ["notes/deep", "why.md", true],
    [null, "output.txt", true],
  ]);
  expect(artifacts.at(-1)?.["mime_type"]).toBe("text/plain");
});
