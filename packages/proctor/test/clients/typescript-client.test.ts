// A client that is generated from `/openapi.json` with openapi-typescript compiles strictly, and does what its names say.
import { execFile } from "node:child_process";
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { textPart } from "../../src/core/message.ts";
import { eventually } from "../support/eventually.ts";
import { startHubProcess, type HubProcess } from "../support/hub-process.ts";
import { openServedHub } from "../support/served-hub.ts";
import { createTalkingPuppets, PUPPET } from "../support/talking-puppets.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fixture } from "../support/test-hub.ts";

const run = promisify(execFile);
const folder = temporaryFolder("typescript-client");
const nodeModules = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const tsc = join(nodeModules, "typescript/bin/tsc");

const DRIVE = `
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

/** Talks to a run whose agent asks whether it may act. */
const TALK = `
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

const [, , baseUrl = "", agent = "", token = ""] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: "Bearer " + token } });

function must<T>({ data, error }: { data?: T; error?: unknown }): NonNullable<T> {
  if (data == null) throw new Error(JSON.stringify(error));
  return data;
}

const conversation: components["schemas"]["ConversationOptions"] = {
  policy: { input: "ask_human", permission: "ask" },
  rules: [{ kind: "permission", tool: "read*", policy: "allow" }, { text: "name", policy: { answer: "Ada" } }],
};
const run = must(
  await client.POST("/runs", {
    body: { agent, task: { description: "clean up" }, options: { conversation } },
  }),
);
const path = { id: run.id };
const events = (after?: number) =>
  client.GET("/runs/{id}/events", {
    params: { path, query: after === undefined ? {} : { after } },
    headers: { accept: "text/event-stream" },
    parseAs: "stream",
  });
let seen = "";
const decoder = new TextDecoder();
for await (const chunk of must(await events()) as unknown as AsyncIterable<Uint8Array>) {
  seen += decoder.decode(chunk, { stream: true });
  if (seen.includes('"question.asked"')) break;
}

const asked = must(await client.GET("/questions", { params: { query: { kind: "permission", conversation: run.id } } }));
const question: components["schemas"]["Question"] | undefined = asked.items[0]?.question;
const allow = question?.options?.find(({ effect }) => effect === "allow");
const answer = { question_id: question?.id ?? "", option: allow?.id ?? "" };
const answered = must(await client.POST("/runs/{id}/answers", { params: { path }, body: { ...answer, id: "a1" } }));
const late = await client.POST("/runs/{id}/answers", { params: { path }, body: { ...answer, id: "a2" } });
const code: components["schemas"]["ErrorCode"] | undefined = late.error?.code;
const said = must(await client.POST("/runs/{id}/messages", { params: { path }, body: { text: "be careful" } }));

for await (const chunk of must(await events()) as unknown as AsyncIterable<Uint8Array>) decoder.decode(chunk);
const { runs, messages } = must(await client.GET("/conversations/{id}", { params: { path: { id: run.conversation_id } } }));
const own = must(await client.GET("/runs/{id}/messages", { params: { path } }));
const tally = must(await client.GET("/runs/{id}/tally", { params: { path: { id: run.root_id } } }));
const texts = messages.flatMap(({ message }) => message.parts.map((part) => (part.kind === "text" ? part.text : part.kind)));

console.log(
  JSON.stringify({
    subject: question?.subject,
    said: said.role,
    open: answered.questions.length,
    code,
    status: runs.map(({ status }) => status),
    texts,
    own: own.items.length,
    live: tally.live,
  }),
);
`;

let hub: HubProcess;
beforeAll(async () => {
  hub = await startHubProcess({ folder });
  await symlink(nodeModules, join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await writeFile(join(folder, "schema.ts"), astToString(await openapiTS(await hub.get("/openapi.json"))));
  await writeFile(join(folder, "drive.ts"), DRIVE);
  await writeFile(join(folder, "talk.ts"), TALK);
  expect(await compile("drive.ts", "talk.ts")).toBe("");
}, 240_000);
afterAll(() => hub.stop());

/** Compiles programs of the client together, which costs little more than one of them; returns what the compiler says. */
async function compile(...programs: string[]): Promise<string> {
  const flags = ["--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
  const types = ["--types", "node", "--typeRoots", join(nodeModules, "@types")];
  const compiled = await run(process.execPath, [tsc, ...flags, ...types, ...programs], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  );
  return compiled.stdout;
}

it(
  "a client from openapi-typescript drives runs, tasks and the Agent Protocol",
  { timeout: 240_000 },
  async () => {
    const agent = JSON.stringify(fixture("steps", "3"));
    const { stdout } = await run(process.execPath, ["drive.js", hub.url, agent], { cwd: folder });
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

it(
  "a client from openapi-typescript is asked by a run, answers it and talks to it",
  { timeout: 240_000 },
  async () => {
    const puppets = createTalkingPuppets();
    const served = await openServedHub({ puppets: { ...puppets } });
    try {
      const client = run(process.execPath, ["talk.js", served.url, PUPPET, served.token], { cwd: folder });
      const session = await puppets.puppet.session(0);
      session.ask({ id: "q1", kind: "permission", subject: { tool: "rm", path: "/tmp/x" } });
      await eventually(() => expect(session.heard).toHaveLength(2));
      session.push({ kind: "message", message: { id: "m", role: "agent", parts: [textPart("done")] } });
      session.end();
      expect(JSON.parse((await client).stdout)).toEqual({
        subject: { tool: "rm", path: "/tmp/x" },
        said: "user",
        open: 0,
        code: "ANSWERED_ALREADY",
        status: ["completed"],
        texts: ["clean up", "be careful", "done"],
        own: 3,
        live: 0,
      });
      expect(session.heard).toMatchObject([
        { questionId: "q1", answer: { id: "a1", option: "allow", by: { kind: "client" } } },
        { role: "user", parts: [textPart("be careful")] },
      ]);
    } finally {
      await served.close();
    }
  },
);
