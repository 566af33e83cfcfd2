// Invariant 5 on every transport: an agent that gives away its secrets, in whatever part of whatever message and however
// encoded, puts them neither on disk nor before anybody's eyes.
import { once } from "node:events";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { serveHttp } from "../support/http/servers.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { RunRequest } from "../../src/core/ports/hub.ts";
import type { Run } from "../../src/core/run.ts";
import { ATP_STAGES } from "../support/atp/stages.ts";
import type { Puppet, PuppetTask } from "../support/protocols/puppet.ts";
import { atpEventOf, atpResponseOf } from "../support/atp-words.ts";
import { openTestHub, type TestHub } from "../support/test-hub.ts";

const SECRET = 'sk-Live/9f8e+7d6c=5b4a&"x';
/** A hash as far as anybody can see. */
const HEX_SECRET = "c0ffee00c0ffee11c0ffee22c0ffee33c0ffee44c0ffee55c0ffee66c0ffee77";
const NUMBER_SECRET = "8675309421";
const environment = { API_KEY: SECRET, SIGNING_KEY: HEX_SECRET, ACCOUNT: NUMBER_SECRET };
const task = { description: "do it" };

const base64 = Buffer.from(SECRET).toString("base64");
const SPELLINGS: Record<string, string> = {
  plain: SECRET,
  json: JSON.stringify(SECRET).slice(1, -1),
  "json twice": JSON.stringify(JSON.stringify(SECRET)).slice(3, -3),
  unicode: Array.from(SECRET, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join(""),
  url: encodeURIComponent(SECRET),
  base64,
  base64url: Buffer.from(SECRET).toString("base64url"),
  "base64 inside": Buffer.from(`Bearer ${SECRET} and so on`).toString("base64"),
  hex: Buffer.from(SECRET).toString("hex"),
  html: SECRET.replace("&", "&amp;").replace('"', "&quot;"),
};
/** None of these may be found anywhere: whole, or a half that is long enough to say something. */
const FORBIDDEN = [
  ...Object.entries(SPELLINGS).flatMap(([name, spelling]) => (name === "base64 inside" ? [] : [spelling])),
  base64.slice(3, 24),
  SECRET.slice(0, 12),
  HEX_SECRET,
  NUMBER_SECRET,
];

let hub: TestHub;
const puppets: Puppet[] = [];

beforeAll(async () => {
  hub = await openTestHub({ graceMs: 300 });
});

afterAll(async () => {
  for (const puppet of puppets) await puppet.close();
  expect(hub.problems).toEqual([]);
  await hub.close();
});

describe.each(ATP_STAGES)("an agent over $name", (stage) => {
  async function perform(
    play: (told: PuppetTask) => Promise<void>,
    request: Partial<RunRequest> = {},
  ): Promise<Run> {
    const puppet = await stage.raise(play);
    puppets.push(puppet);
    return runWithSecrets({ agent: puppet.spec, task, ...request });
  }

  it("has its secrets, and nobody else sees them in its events", async () => {
    let given: unknown;
    const run = await perform(async (told) => {
      given = (told.request["context"] as JsonObject)["environment"];
      let sequence = 0;
      const say = (kind: string, payload: JsonObject, more: JsonObject = {}): Promise<void> =>
        told.event({ ...atpEventOf(told, sequence++, kind, payload), ...more });
      await say("tool_call", {
        tool: SECRET,
        call_id: SECRET,
        input: { ...SPELLINGS, [SECRET]: [[SECRET]] },
      });
      await say("llm_request", { model: SECRET, input_tokens: Number(NUMBER_SECRET), note: HEX_SECRET });
      await say(SECRET, { thought: "a kind of its own" });
      await say("progress", { message: `${"x".repeat(9000)}${SECRET}` }, { novelty: SPELLINGS, [SECRET]: 1 });
      await say("progress", { percentage: SECRET }, { timestamp: SECRET });
      await say("progress", {}, { task_id: SECRET });
      await say("progress", {}, { version: SECRET });
      await say("progress", {}, { sequence: SECRET as unknown as number });
      if (stage.carriesText) {
        await told.event(`not JSON, and ${SECRET}`);
        await told.event(`{"cut": "${SECRET}`);
      }
      await told.respond(atpResponseOf(told));
    });
    expect(given).toEqual(environment);
    expect(run.status).toBe("completed");
    const shown = await shownOf(run);
    expect(shown).toContain("[redacted:API_KEY]");
    expect(shown).toContain("[redacted:SIGNING_KEY]");
  });

  it("puts none into its artifacts and their descriptions", async () => {
    const large = { rows: Array.from({ length: 3000 }, (_, index) => `${index} ${SECRET} ${HEX_SECRET}`) };
    const bytes = Buffer.concat([Buffer.from([0, 255, 7]), Buffer.from(SECRET), Buffer.from([0, 254])]);
    const run = await perform(
      async (told) => {
        const { workspace_path: workspace } = told.request["context"] as { workspace_path: string };
        writeFileSync(join(workspace, "left.txt"), `a\n${SECRET}\n${base64}\n`);
        writeFileSync(join(workspace, "named.txt"), SPELLINGS["base64 inside"] ?? "");
        const described = { content_type: SECRET, content_hash: `sha256:${HEX_SECRET}`, note: SECRET };
        await told.respond(
          atpResponseOf(told, {
            artifacts: [
              {
                type: "file",
                path: `${SECRET}.md`,
                content: Object.values(SPELLINGS).join("\n"),
                ...described,
              },
              { type: "file", path: "b.bin", content: bytes.toString("base64"), content_encoding: "base64" },
              { type: "file", path: "only-described", ...described, redacted: SECRET, id: SECRET },
              { type: "file", path: "named.txt" },
              { type: "structured", name: SECRET, schema: SECRET, data: { ...SPELLINGS, [SECRET]: SECRET } },
              { type: "structured", name: "large", data: large },
              { type: "reference", path: SECRET, ...described },
              { type: SECRET, path: "of no kind" },
            ],
          }),
        );
      },
      { options: { workspace: { collect: ["*.txt"] } } },
    );
    expect(run.status).toBe("completed");
    expect(run.artifacts).toHaveLength(8);
    await shownOf(run);
  });

  it("puts none into how it failed", async () => {
    const run = await perform((told) =>
      told.respond(
        atpResponseOf(told, {
          status: "failed",
          error: `cannot log in with ${Object.values(SPELLINGS).join(" or ")}`,
          error_code: SECRET,
          error_details: { ...SPELLINGS, [SECRET]: { deep: [HEX_SECRET, Number(NUMBER_SECRET)] } },
          trace_id: HEX_SECRET,
          metrics: { total_steps: 1, [SECRET]: SECRET, account: Number(NUMBER_SECRET), key: HEX_SECRET },
          novelty: SPELLINGS,
          [SECRET]: SECRET,
        }),
      ),
    );
    expect(run.status).toBe("failed");
    expect(run.failure?.code).toBe("[redacted:API_KEY]");
    expect(run.metrics.total_steps).toBe(1);
    await shownOf(run);
  });

  it("puts none into a response that is no good", async () => {
    const run = await perform((told) => told.respond({ ...atpResponseOf(told), status: SECRET }));
    expect(run).toMatchObject({ status: "failed", failure: { code: "INVALID_RESPONSE" } });
    await shownOf(run);
  });
});

describe("what is shown of an answer that is too long", () => {
  const straddling = (limit: number): string => `${"x".repeat(limit - 12)}${SECRET}`.padEnd(limit + 100, "x");

  it("does not end in half a secret: a content type, an encoding, a page", async () => {
    for (const head of [
      { "content-type": `text/${straddling(195).replaceAll('"', "")}` },
      { "content-type": "application/json", "content-encoding": straddling(200).replaceAll('"', "") },
      { "content-type": "text/html" },
    ]) {
      const server = await serveHttp((_request, response) => {
        response.writeHead(200, head).end(straddling(8 * 1024));
      });
      const run = await runWithSecrets({ agent: `atp+${server.url}`, task });
      expect(run.failure?.code).toBe("WRONG_CONTENT_TYPE");
      await shownOf(run);
    }
  });

  it("does not end in half a secret: the message of a gRPC status", async () => {
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      // The hub may drop the connection first.
      stream.on("error", () => undefined);
      stream.respond(
        {
          ":status": 200,
          "content-type": "application/grpc",
          "grpc-status": "13",
          "grpc-message": encodeURIComponent(straddling(1000)),
        },
        { endStream: true },
      );
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const run = await runWithSecrets({ agent: `atp+grpc://127.0.0.1:${port}`, task });
    expect(run.failure?.details).toMatchObject({ grpc_status: "INTERNAL" });
    await shownOf(run);
    server.close();
  });

  it("is not a secret either where it is the reason of a closing", async () => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => "atp.v1" });
    server.on("connection", (socket) => socket.on("message", () => socket.close(4000, `bad key ${SECRET}`)));
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const run = await runWithSecrets({ agent: `atp+ws://127.0.0.1:${port}`, task });
    expect(run.failure).toMatchObject({
      code: "CONNECTION_LOST",
      details: { close_code: 4000, reason: "bad key [redacted:API_KEY]" },
    });
    await shownOf(run);
    server.close();
  });
});

it("what a client writes where it should not is hidden all the same", async () => {
  const puppet = await ATP_STAGES[1]!.raise((told) => told.respond(atpResponseOf(told)));
  puppets.push(puppet);
  const run = await runWithSecrets({
    agent: puppet.spec,
    task: { description: SECRET, input_data: SPELLINGS },
    constraints: { timeout_seconds: 20, novelty: SECRET },
    metadata: { [SECRET]: SECRET },
    alias: SECRET,
  });
  expect(run).toMatchObject({ status: "completed", constraints: { timeout_seconds: 20 } });
  await shownOf(run);
});

async function runWithSecrets(request: RunRequest): Promise<Run> {
  const { run } = await hub.hub.submit({ ...request, context: { environment } });
  return hub.ended(run.id);
}

/** All that the hub tells about the run. Fails where a secret is in it, or in any file of the hub. */
async function shownOf(run: Run): Promise<string> {
  const contents: string[] = [];
  for (const { id, content_hash } of run.artifacts) {
    if (content_hash === undefined || id === undefined) continue;
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of await hub.hub.readArtifact(run.id, id)) chunks.push(chunk);
    } catch {
      // Only described.
    }
    contents.push(Buffer.concat(chunks).toString("latin1"));
  }
  const shown = [JSON.stringify([run, await hub.log(run.id)]), ...contents].join("\n");
  for (const spelling of FORBIDDEN) {
    expect(shown.includes(spelling), `shown: ${spelling}`).toBe(false);
    expect(filesHolding(hub.folder, spelling), spelling).toEqual([]);
  }
  return shown;
}

/** But for the workspaces, which are the agents' own and vanish while we look. */
function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== "workspaces")
    .flatMap((name) => filesBelow(join(folder, name)))
    .filter((file) => readFileSync(file).includes(text));
}

function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
