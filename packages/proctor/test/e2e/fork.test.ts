// `proctor runs fork` on agents that are really driven: one that is told what was said, one that is sent the whole chat, and one that knows nothing.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HANG_MS } from "../support/eventually.ts";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Asked {
  messages: { role: string; content: string }[];
}

const folder = temporaryFolder("fork");
const asked: Asked[] = [];
let model: Server;
let address = "";

/** Counts what it was asked. */
beforeAll(async () => {
  model = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      asked.push(JSON.parse(Buffer.concat(chunks).toString()) as Asked);
      const message = { role: "assistant", content: `Answer ${asked.length}` };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ model: "m", choices: [{ index: 0, message, finish_reason: "stop" }] }));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  address = `openai+http://127.0.0.1:${(model.address() as AddressInfo).port}/v1#m`;
});
afterAll(() => {
  model.closeAllConnections();
  model.close();
});

interface Listed {
  id: string;
  follows: string | null;
  metadata: Record<string, unknown>;
}

async function json<T>(...args: string[]): Promise<T> {
  const { stdout } = await runCommand([...args, "--json"], { folder });
  return JSON.parse(stdout) as T;
}

describe("proctor runs fork", { timeout: HANG_MS }, () => {
  it("asks a chat's model again with what was said up to the event, and with other words", async () => {
    await runCommand(["run", "--agent", address, "--task", "One"], { folder });
    await runCommand(["run", "--continue", "last", "--task", "Two"], { folder });
    const second = await json<Listed>("runs", "show", "last");
    const { items } = await json<{ items: { sequence: number | null; message: { role: string } }[] }>(
      "runs",
      "messages",
      "last",
    );
    const said = items.find(({ sequence, message }) => message.role === "agent" && sequence !== null);
    const point = said?.sequence === undefined ? [] : ["--after", String(said.sequence)];
    const forked = await runCommand(["runs", "fork", second.id, ...point, "--say", "Three"], { folder });
    expect(forked).toMatchObject({ code: 0, stderr: "" });
    expect(forked.stdout).toMatch(new RegExp(`Answer 3[^]*forked from ${second.id}`));
    expect(asked[2]?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: One",
      "assistant: Answer 1",
      "user: Two",
      "assistant: Answer 2",
      "user: Three",
    ]);
    const fork = await json<Listed>("runs", "show", "last");
    expect(fork).toMatchObject({ follows: second.id, metadata: { forked_from: { run_id: second.id } } });
    const first = await json<Listed>("runs", "fork", second.follows ?? "", "--say", "Other");
    expect(first.metadata).toEqual({ forked_from: { run_id: second.follows } });
    expect(asked[3]?.messages.map(({ content }) => content)).toEqual(["One", "Answer 1", "Other"]);
  });

  it("says what can be done where a run cannot be gone on from", async () => {
    const agent = "text+stdio:node agent.mjs";
    writeFileSync(join(folder, "agent.mjs"), "console.log('done')\n");
    await runCommand(["run", "--agent", agent, "--task", "One"], { folder });
    const refused = await runCommand(["runs", "fork", "last", "--after", "3", "--say", "x"], { folder });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/cannot be forked after event 3[^]*It can be forked at its end/);
    const silent = await runCommand(["runs", "fork", "last"], { folder });
    expect(silent.stderr).toMatch(/message: say what comes next/);
    const both = await runCommand(["runs", "fork", "last", "--after", "3", "--step", "1"], { folder });
    expect(both).toMatchObject({ code: 2 });
  });
});
