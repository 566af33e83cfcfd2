// The driver against the protocol's own server for Node (agent-protocol on npm), as a process of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const folder = temporaryFolder("reference-server");

/** Shouts what it is given, in as many steps as the task says. */
const PROGRAM = `
const { readFileSync, writeFileSync, mkdirSync } = require("node:fs");
const { join } = require("node:path");
const { default: Agent } = require(process.argv[1]);
const workspace = process.argv[2];
const agent = Agent.handleTask(async (id, input) => {
  if (input === "refuse") throw new Error("no such task for me");
  let count = 0;
  return async () => {
    count++;
    if (input === "explode" && count === 2) throw new Error("exploded");
    if (count < 3) return { name: "step " + count, output: "working" };
    const home = join(workspace, id);
    const given = readFileSync(join(home, "in", "words.txt"), "utf8");
    mkdirSync(join(home, "out"), { recursive: true });
    writeFileSync(join(home, "out", "shout.txt"), given.toUpperCase());
    const artifact = { artifact_id: "shout", agent_created: true, file_name: "shout.txt", relative_path: "out" };
    return { output: input, is_last: true, artifacts: [artifact] };
  };
}, { workspace });
const server = agent.build().listen(0, "127.0.0.1", () => process.stdout.write(String(server.address().port)));
process.stdin.on("end", () => process.exit()).resume();
`;

const installed = findServer();

function findServer(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve("agent-protocol");
  } catch {
    return undefined;
  }
}

describe.skipIf(installed === undefined)("the reference server (npm agent-protocol)", () => {
  let hub: TestHub;
  let url: string;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    hub = await openTestHub();
    const server = spawn(process.execPath, ["-e", PROGRAM, installed ?? "", join(folder, "agents-own")], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    stop = () => {
      const exited = once(server, "exit");
      server.stdin.end();
      return exited;
    };
    const [port] = (await once(server.stdout, "data")) as [Buffer];
    url = `ap+http://127.0.0.1:${port.toString()}`;
  });
  afterAll(async () => {
    await stop();
    await hub.close();
  });

  async function run(description: string) {
    const fixture = join(folder, "fixture");
    mkdirSync(join(fixture, "in"), { recursive: true });
    writeFileSync(join(fixture, "in/words.txt"), "hello");
    const { run: submitted } = await hub.hub.submit({
      agent: url,
      task: { description, input_data: { a: [1] } },
      metadata: { test_id: "t" },
      context: { environment: { KEY: "some-secret" } },
      options: { workspace: { fixture }, strict: true },
    });
    return hub.ended(submitted.id);
  }

  it("is given its files, does its steps, and its artifacts come back", async () => {
    const ended = await run("shout");
    expect(ended).toMatchObject({
      status: "completed",
      metrics: { total_steps: 3 },
      artifacts: [
        { type: "structured", name: "result", data: { output: "shout" } },
        { type: "file", path: "out/shout.txt", size_bytes: 5 },
      ],
      violations: [],
    });
    const [, { content_hash: hash = "" } = {}] = ended.artifacts;
    const chunks: Uint8Array[] = [];
    for await (const chunk of hub.blobs.read(hash.replace("sha256:", ""))) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("HELLO");
  });

  it("fails as it says: at the task, and at a step", async () => {
    expect((await run("refuse")).failure).toMatchObject({
      code: "HTTP_ERROR",
      message: expect.stringContaining("no such task for me") as string,
    });
    const exploded = await run("explode");
    expect(exploded.failure?.message).toContain("exploded");
    expect(exploded.metrics.total_steps).toBe(1);
  });
});
