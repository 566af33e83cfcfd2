// What tokens cannot do, tried on the whole hub: start programs, reach other agents and their runs, outlive their end, leave traces.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { beforeAll, describe, expect, it } from "vitest";
import type { Run } from "../src/core/run.ts";
import type { AuditEntry } from "../src/core/token.ts";
import { eventually } from "./support/eventually.ts";
import { serveHub, type RunningHub } from "./support/serve-hub.ts";

const OK = fileURLToPath(new URL("fixtures/agents/ok.mjs", import.meta.url));
const SLEEPS = fileURLToPath(new URL("fixtures/agents/sleeps.mjs", import.meta.url));
const task = { description: "do it" };

let hub: RunningHub;
let marker: string;

beforeAll(async () => {
  hub = await serveHub();
  marker = join(hub.folder, "started-by-a-token");
  for (const [name, file] of [
    ["ok", OK],
    ["team.ok", OK],
    ["team.sleeps", SLEEPS],
    ["sleeps", SLEEPS],
  ])
    await operate("PUT", `/agents/${name}`, { address: `atp+stdio:${process.execPath} ${file}` });
});

async function operate<T>(method: string, path: string, json?: unknown): Promise<T> {
  const response = await hub.send(method, path, { token: hub.operator, ...(json !== undefined && { json }) });
  expect(response.status).toBeLessThan(300);
  return (await response.json()) as T;
}

async function answer(
  token: string,
  method: string,
  path: string,
  json?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await hub.send(method, path, { token, ...(json !== undefined && { json }) });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>) };
}

function ended(id: string): Promise<Run> {
  return eventually(async () => {
    const run = await operate<Run>("GET", `/runs/${id}`);
    expect(run.ended_at).not.toBeNull();
    return run;
  });
}

describe("a token that may only start runs of registered agents", () => {
  const touch = (): string[] => [
    process.execPath,
    "-e",
    `require("fs").writeFileSync(${JSON.stringify(marker)}, "x")`,
  ];
  const spec = () => ({ protocol: "atp", transport: "stdio", command: touch() });
  const address = () => `atp+stdio:${process.execPath} -e "require('fs').writeFileSync('${marker}','x')"`;
  const tools = (extra: object) => ({ options: { tools: { tools: [], ...extra } } });

  const attacks: [string, () => [method: string, path: string, body: unknown]][] = [
    ["an address as the agent", () => ["POST", "/runs", { agent: address(), task }]],
    ["the long form of an agent", () => ["POST", "/runs", { agent: spec(), task }]],
    ["the address of a server", () => ["POST", "/runs", { agent: "atp+http://127.0.0.1:9", task }]],
    ["a prepared run of an address", () => ["POST", "/runs?start=false", { agent: address(), task }]],
    [
      "an MCP server",
      () => ["POST", "/runs", { agent: "ok", task, ...tools({ mcp: [{ command: touch() }] }) }],
    ],
    [
      "an MCP server elsewhere",
      () => ["POST", "/runs", { agent: "ok", task, ...tools({ mcp: [{ url: "http://127.0.0.1:9" }] }) }],
    ],
    [
      "a forwarded tool",
      () => [
        "POST",
        "/runs",
        { agent: "ok", task, ...tools({ tools: [{ name: "t", forward: { url: "http://127.0.0.1:9" } }] }) },
      ],
    ],
    [
      "a recorded tool",
      () => [
        "POST",
        "/runs",
        {
          agent: "ok",
          task,
          ...tools({ tools: [{ name: "t", record: { url: "http://127.0.0.1:9", file: marker } }] }),
        },
      ],
    ],
    [
      "a replayed file",
      () => [
        "POST",
        "/runs",
        { agent: "ok", task, ...tools({ tools: [{ name: "t", replay: { file: "/etc/passwd" } }] }) },
      ],
    ],
    [
      "an environment",
      () => ["POST", "/runs", { agent: "ok", task, options: { environment: { kind: "local" } } }],
    ],
    [
      "a terminal",
      () => ["POST", "/runs", { agent: "ok", task, options: { terminal: { script: touch() } } }],
    ],
    ["labs", () => ["POST", "/runs", { agent: "ok", task, options: { labs: { push: {} } } }]],
    [
      "a fixture",
      () => ["POST", "/runs", { agent: "ok", task, options: { workspace: { fixture: "/etc" } } }],
    ],
    [
      "a directory of its own",
      () => ["POST", "/runs", { agent: "ok", task, context: { workspace_path: hub.folder } }],
    ],
    [
      "a tools endpoint of its own",
      () => ["POST", "/runs", { agent: "ok", task, context: { tools_endpoint: "http://127.0.0.1:9" } }],
    ],
    [
      "a directory over ATP",
      () => [
        "POST",
        "/atp/ok/execute",
        {
          version: "1.0",
          task_id: "0190c3a4-0000-7000-8000-000000000001",
          task,
          context: { workspace_path: hub.folder },
        },
      ],
    ],
    ["an agent with a command", () => ["PUT", "/agents/mine", { address: address() }]],
    [
      "an agent that is read from a file",
      () => ["PUT", "/agents/mine", { address: "replay+file:/etc/passwd" }],
    ],
    ["an address over the task API", () => ["POST", "/api/tasks", { task: "do it", agent: address() }]],
    [
      "an address over the Agent Protocol",
      () => ["POST", "/ap/v1/agent/tasks", { input: "do it", additional_input: { agent: address() } }],
    ],
    ["tests of an ended run", () => ["POST", "/runs/none/verify", {}]],
  ];

  it.each(attacks)("is refused with %s", async (_, attack) => {
    const { secret } = await hub.issue({ scopes: ["runs:*", "agents:*"] });
    const [method, path, body] = attack();
    const refused = await answer(secret, method, path, body);
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([
      403,
      expect.stringContaining("programs"),
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  it.each(["NODE_OPTIONS", "PATH", "LD_PRELOAD"])("cannot make a program load code with %s", async (name) => {
    const { secret } = await hub.issue({ scopes: ["runs:*"] });
    const body = { agent: "ok", task, context: { environment: { [name]: "x" } } };
    expect(await answer(secret, "POST", "/runs", body)).toMatchObject({
      status: 400,
      body: { code: "INVALID_REQUEST" },
    });
  });

  it("starts runs of registered agents, with mocked tools and variables", async () => {
    const { secret } = await hub.issue({ scopes: ["runs:*"] });
    const options = { tools: { tools: [{ name: "t", default: { output: 1 } }] }, workspace: { keep: false } };
    const body = { agent: "ok", task, options, context: { environment: { API_KEY: "a-secret-value" } } };
    const made = await answer(secret, "POST", "/runs", body);
    expect(made.status).toBe(202);
    expect((await ended(String(made.body["id"]))).status).toBe("completed");
  });

  it("may do all of that with the scope programs", async () => {
    const { secret } = await hub.issue({ scopes: ["runs:*", "programs"] });
    const made = await answer(secret, "POST", "/runs", {
      agent: `atp+stdio:${process.execPath} ${OK}`,
      task,
    });
    expect(made.status).toBe(202);
    await ended(String(made.body["id"]));
  });
});

describe("a token that is bound", () => {
  it.each([{ kind: "agent", name: "team.ok" } as const, { kind: "folder", name: "team" } as const])(
    "to the $kind $name sees and uses nothing outside of it",
    async (binding) => {
      const foreign = await operate<Run>("POST", "/runs", { agent: "ok", task });
      const { secret } = await hub.issue({ scopes: ["runs:*", "agents:*"], binding });
      const made = await answer(secret, "POST", "/runs", { agent: "team.ok", task });
      expect(made.status).toBe(202);
      const own = String(made.body["id"]);
      await ended(own);
      await ended(foreign.id);
      expect((await answer(secret, "POST", "/runs", { agent: "ok", task })).status).toBe(403);
      for (const path of ["", "/events", "/steps", "/messages", "/artifacts", "/tally", "/workspace"])
        expect([path, (await answer(secret, "GET", `/runs/${foreign.id}${path}`)).status]).toEqual([
          path,
          404,
        ]);
      for (const verb of ["cancel", "pause", "resume", "start", "messages", "answers", "release"])
        expect((await answer(secret, "POST", `/runs/${foreign.id}/${verb}`, {})).status).not.toBeLessThan(
          400,
        );
      expect((await answer(secret, "DELETE", `/runs/${foreign.id}`)).status).toBe(404);
      expect((await answer(secret, "GET", `/conversations/${foreign.conversation_id}`)).status).toBe(404);
      const listed = (await answer(secret, "GET", "/runs?limit=100")).body["items"] as Run[];
      expect(listed.map(({ id }) => id)).toContain(own);
      expect(new Set(listed.map(({ agent }) => agent.startsWith("team.")))).toEqual(new Set([true]));
      const agents = (await answer(secret, "GET", "/agents")).body["items"] as { name: string }[];
      expect(agents.every(({ name }) => name.startsWith("team."))).toBe(true);
      expect((await answer(secret, "GET", "/agents/ok")).status).toBe(404);
      expect((await answer(secret, "DELETE", "/agents/ok")).status).toBe(403);
      expect((await answer(secret, "GET", `/runs/${own}/events`)).status).toBe(200);
      const follows = { agent: "team.ok", task, follows: foreign.id };
      expect((await answer(secret, "POST", "/runs", follows)).status).toBe(404);
    },
  );

  it("to a user reads and writes the artifacts of that user alone", async () => {
    const { secret } = await hub.issue({ scopes: ["runs:*"], binding: { kind: "user", name: "ada" } });
    const save = (user: string, token: string) =>
      hub.send("PUT", `/artifacts/app/${user}/s1/notes.txt`, {
        token,
        json: "notes",
      });
    expect((await save("ada", secret)).status).toBe(201);
    expect((await save("eve", hub.operator)).status).toBe(201);
    expect((await save("eve", secret)).status).toBe(403);
    for (const path of ["", "/notes.txt", "/notes.txt/versions"]) {
      expect((await hub.send("GET", `/artifacts/app/ada/s1${path}`, { token: secret })).status).toBe(200);
      expect((await hub.send("GET", `/artifacts/app/eve/s1${path}`, { token: secret })).status).toBe(403);
    }
    const remove = await hub.send("DELETE", "/artifacts/app/eve/s1/notes.txt", { token: secret });
    expect(remove.status).toBe(403);
  });

  it("is in the audit log with what it was refused, at every door once for many", async () => {
    const { secret, token } = await hub.issue({
      scopes: ["runs:*"],
      binding: { kind: "agent", name: "team.ok" },
    });
    for (let count = 0; count < 30; count++) {
      expect((await answer(secret, "GET", "/agents")).status).toBe(403);
      expect((await answer(secret, "POST", "/runs", { agent: "ok", task })).status).toBe(403);
    }
    const { items } = await operate<{ items: AuditEntry[] }>("GET", `/audit?actor=token%3A${token.id}`);
    expect(items.filter(({ action }) => action === "access.denied")).toMatchObject([
      { details: { count: 1, reason: expect.stringMatching(/^SCOPE_MISSING: .*agents:read/) as string } },
    ]);
  });

  it("hears only of its own runs in the stream of all", async () => {
    const { secret } = await hub.issue({ scopes: ["runs:*"], binding: { kind: "agent", name: "team.ok" } });
    const leave = new AbortController();
    const headers = { accept: "text/event-stream" };
    const stream = await hub.send("GET", "/events?after=0", { token: secret, headers, signal: leave.signal });
    const foreign = await operate<Run>("POST", "/runs", { agent: "ok", task });
    await ended(foreign.id);
    const own = await operate<Run>("POST", "/runs", { agent: "team.ok", task });
    await ended(own.id);
    let heard = "";
    for await (const chunk of stream.body ?? []) {
      heard += Buffer.from(chunk).toString();
      if (heard.includes(own.id) && heard.includes("run.ended")) break;
    }
    leave.abort();
    expect(heard).not.toContain(foreign.id);
  });
});

describe("a revoked token", () => {
  it("ends its event streams", async () => {
    const run = await operate<Run>("POST", "/runs", { agent: "sleeps", task });
    const { secret, token } = await hub.issue({ scopes: ["runs:read"] });
    const headers = { accept: "text/event-stream" };
    const stream = await hub.send("GET", `/runs/${run.id}/events`, { token: secret, headers });
    const reader = stream.body?.getReader();
    await reader?.read();
    await hub.tokens.revoke(token.id);
    await expect(
      (async () => {
        while ((await reader?.read())?.done === false);
      })(),
    ).rejects.toThrow();
    expect((await answer(secret, "GET", "/runs")).status).toBe(401);
    await operate("POST", `/runs/${run.id}/cancel`, {});
  });

  it("ends its WebSockets, whose token may come in the query", async () => {
    const { secret, token } = await hub.issue({ scopes: ["runs:read"] });
    const socket = new WebSocket(`${hub.url.replace("http", "ws")}/ws?access_token=${secret}`);
    const closed = new Promise<number>((resolve, reject) => socket.on("close", resolve).on("error", reject));
    await new Promise((resolve) => socket.once("message", resolve));
    await hub.tokens.revoke(token.id);
    expect(await closed).toBe(1008);
  });
});

describe("a token that was tried, right or wrong", () => {
  it("is in no log, no error, no audit entry and no file of the hub", async () => {
    const { secret } = await hub.issue({ scopes: ["runs:read"] });
    const wrong = `${secret.slice(0, -8)}AAAAAAAA`;
    const tries: Response[] = [];
    for (const token of [secret, wrong]) {
      tries.push(
        await hub.send("GET", "/runs", { token }),
        await hub.send("GET", `/runs?access_token=${token}`),
      );
      tries.push(
        await hub.send("GET", "/events?after=0", { headers: { accept: "text/event-stream" }, token: wrong }),
      );
      tries.push(
        await hub.send("GET", `/runs/x/events?access_token=${token}`, {
          headers: { accept: "text/event-stream" },
        }),
      );
      tries.push(
        await hub.send("POST", "/tokens", { token, json: {} }),
        await hub.send("GET", `/tokens/${secret.split("_")[2]}`, { token }),
      );
    }
    const shown = [
      hub.log(),
      JSON.stringify(await hub.tokens.audit({ limit: 1000 })),
      JSON.stringify(await hub.tokens.list({})),
    ];
    for (const response of tries) {
      shown.push(JSON.stringify([...response.headers]), await response.text());
    }
    for (const name of readdirSync(join(hub.folder, ".proctor"), { recursive: true, withFileTypes: true }))
      if (name.isFile()) shown.push(readFileSync(join(name.parentPath, name.name), "latin1"));
    for (const text of shown) {
      expect(text).not.toContain(secret.slice(-40));
      expect(text).not.toContain(wrong.slice(-40, -8));
    }
  });
});

describe("the token of a run that an agent's program gets", () => {
  it("reads its own run and asks its model, is hidden from the log, and ends with the run", async () => {
    mkdirSync(join(hub.folder, "agents"), { recursive: true });
    const file = join(hub.folder, "agents", "curious.mjs");
    const out = join(hub.folder, "found.json");
    writeFileSync(
      file,
      `import { readFileSync, writeFileSync } from "node:fs";
const request = JSON.parse(readFileSync(0, "utf8"));
const { PROCTOR_URL: url, PROCTOR_RUN_TOKEN: token, LLM_API_URL: llm } = process.env;
const ask = async (path, init = {}) => (await fetch(path.startsWith("http") ? path : url + path, { ...init, headers: { authorization: "Bearer " + token, "content-type": "application/json" } }));
const list = await (await ask("/runs")).json();
const id = list.items[0].id;
const statuses = {};
for (const path of ["/runs/" + id, "/runs/" + id + "/events", "/runs/" + id + "/artifacts", "/agents", "/tokens", "/api/tasks", "/runs/OTHER"])
  statuses[path.replace(id, "own")] = (await ask(path)).status;
statuses.post = (await ask("/runs", { method: "POST", body: JSON.stringify({ agent: "ok", task: { description: "x" } }) })).status;
statuses.cancel = (await ask("/runs/" + id + "/cancel", { method: "POST", body: "{}" })).status;
statuses.model = (await ask(llm + "/models")).status;
writeFileSync(${JSON.stringify(out)}, JSON.stringify({ token, seen: list.items.length, statuses }));
process.stderr.write("my token is " + token + "\\n");
process.stdout.write(JSON.stringify({ version: "1.0", task_id: request.task_id, status: "completed", artifacts: [], metrics: {} }) + "\\n");
`.replace("OTHER", (await operate<Run>("POST", "/runs", { agent: "ok", task })).id),
    );
    await operate("PUT", "/agents/curious", { address: `atp+stdio:${process.execPath} ${file}` });
    const run = await operate<Run>("POST", "/runs", {
      agent: "curious",
      task,
      options: { llm: { enabled: true } },
    });
    expect((await ended(run.id)).status).toBe("completed");
    const found = JSON.parse(readFileSync(out, "utf8")) as { token: string; seen: number; statuses: object };
    expect(found.seen).toBe(1);
    expect(Object.values(found.statuses)).toEqual([200, 200, 200, 403, 403, 403, 404, 403, 403, 200]);
    const log = JSON.stringify(await operate("GET", `/runs/${run.id}/events?limit=1000`));
    expect(log).toContain("my token is ");
    expect(log).not.toContain(found.token);
    expect((await answer(found.token, "GET", `/runs/${run.id}`)).status).toBe(401);
  });
});
