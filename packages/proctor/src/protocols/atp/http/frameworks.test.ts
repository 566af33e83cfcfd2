// Agents on the frameworks that people have: driven as they are, and told by conform which media types they take.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestHub, type TestHub } from "../../../../test/support/test-hub.ts";
import { parseAddress } from "../../../core/address.ts";
import type { Run } from "../../../core/run.ts";
import type { RuleResult } from "../../../conformance/conformance.ts";
import { atpConformance } from "../conform/conformance.ts";

const VENDOR = "application/vnd.atp.v1+json";
const programs: ChildProcess[] = [];
let opened: TestHub;

beforeAll(async () => {
  opened = await openTestHub();
});

afterAll(async () => {
  await opened.close();
  for (const program of programs) program.kill();
});

async function serve(name: "express" | "fastify", ...args: string[]): Promise<string> {
  const path = fileURLToPath(new URL(`../../../../test/fixtures/frameworks/${name}.mjs`, import.meta.url));
  const program = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  programs.push(program);
  const [port] = (await once(program.stdout, "data")) as [Buffer];
  return `atp+http://127.0.0.1:${port.toString().trim()}`;
}

async function run(address: string, headers?: Record<string, string>): Promise<Run> {
  const name = `agent-${programs.length}-${Object.keys(headers ?? {}).length}`;
  await opened.hub.addAgent({ name, ...parseAddress(address), ...(headers && { headers }) });
  const { run } = await opened.hub.submit({ agent: name, task: { description: "hello" } });
  return opened.ended(run.id);
}

async function conform(address: string, ...only: string[]): Promise<RuleResult[]> {
  const results: RuleResult[] = [];
  const options = { timeoutMs: 30_000, signal: new AbortController().signal, only };
  for await (const result of atpConformance.check(parseAddress(address), options)) results.push(result);
  return results;
}

describe.each(["express", "fastify"] as const)("an agent on %s", (name) => {
  it("is driven as it is, without a violation", async () => {
    const { status, violations, artifacts, failure } = await run(await serve(name));
    expect({ status, failure, violations }).toEqual({ status: "completed", failure: null, violations: [] });
    expect(artifacts).toMatchObject([{ data: { said: "hello" } }]);
  });

  it("keeps the document's rules, and conform says which type it takes", async () => {
    const address = await serve(name);
    const [given, vendor, plain] = await conform(
      address,
      "atp.response.given",
      "atp.media.atp",
      "atp.media.json",
    );
    expect(given?.outcome).toBe("pass");
    expect(plain?.outcome).toBe("pass");
    expect(vendor).toMatchObject({ outcome: "fail", rule: { owner: "proctor" } });
    expect(vendor?.reason).toMatch(/^it takes application\/json only: HTTP (?:500|415)/);
  });
});

describe("an agent that takes the media type of ATP only", () => {
  it("is asked again with it", async () => {
    const { status, violations } = await run(await serve("fastify", VENDOR));
    expect({ status, violations }).toEqual({ status: "completed", violations: [] });
  });

  it("is tried with it by conform, which says so", async () => {
    const address = await serve("fastify", VENDOR);
    const [given, vendor, plain] = await conform(
      address,
      "atp.response.given",
      "atp.media.atp",
      "atp.media.json",
    );
    expect([given?.outcome, vendor?.outcome]).toEqual(["pass", "pass"]);
    expect(plain?.reason).toMatch(/^it takes application\/vnd\.atp\.v1\+json only: HTTP 415/);
  });
});

it("an agent is sent the headers that are configured for it, the content type as well", async () => {
  const address = await serve("fastify", "application/x-mine");
  const { status } = await run(address, { "Content-Type": "application/x-mine" });
  expect(status).toBe("completed");
});
