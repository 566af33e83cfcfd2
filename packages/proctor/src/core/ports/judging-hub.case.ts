// Promises of the Hub port about ended runs: the directory that a run leaves, a verifier over its files, and the release of both. For any
// implementation, like hub.case.ts.
import { existsSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { HANG_MS } from "../../../test/support/eventually.ts";
import { expectError } from "../../../test/support/expect-error.ts";
import { fixture, shellFixture } from "../../../test/support/test-hub.ts";
import { ProctorError } from "../errors.ts";
import type { RunOptions } from "../run-options.ts";
import type { Hub, RunRequest } from "./hub.ts";
import type { Verify, VerifyRequest } from "./verify.ts";

const NOBODY = "01890000-0000-7000-8000-000000000000";

/** `open` makes a new, empty hub each time, one that judges with `verifyInTests`. */
export function judgingHubCases(open: () => Promise<{ hub: Hub; close(): Promise<void> }>): void {
  let opened: { hub: Hub; close(): Promise<void> };
  let hub: Hub;

  beforeEach(async () => {
    opened = await open();
    ({ hub } = opened);
  });
  afterEach(() => opened.close());

  async function submit(agent: RunRequest["agent"], options: RunOptions = {}): Promise<string> {
    return (await hub.submit({ agent, task: { description: "do it" }, options })).run.id;
  }

  async function ended(id: string): Promise<string> {
    for await (const { type } of hub.follow(id, -1, AbortSignal.timeout(HANG_MS))) {
      if (type === "run.ended") return id;
    }
    throw new Error(`run ${id} did not end`);
  }

  const complete = async (agent: RunRequest["agent"], options?: RunOptions): Promise<string> =>
    ended(await submit(agent, options));

  it("is the directory it worked in, until that is released", async () => {
    const id = await complete(fixture("leaves-files", "text:a.txt"), { workspace: { hold: true } });
    const workspace = await hub.openWorkspace(id);
    const files = await workspace.list(["**"], 10);
    expect(files.length).toBeGreaterThan(0);
    for (const { path } of files) expect(await workspace.kind(path)).toBe("file");
    expect(await workspace.kind("../x")).toBe("outside");
    expect((await text(hub.packWorkspace(id))).length).toBeGreaterThan(0);
    await hub.release(id);
    await hub.release(id);
    expect(existsSync(workspace.path)).toBe(false);
    await expectError(hub.openWorkspace(id), "NOT_FOUND", /was not kept, or is gone/);
  });

  it("stays after its release where it is to be kept", async () => {
    const options = { workspace: { hold: true, keep: true } };
    const id = await complete(fixture("leaves-files", "text:a.txt"), options);
    await hub.release(id);
    expect((await (await hub.openWorkspace(id)).list(["**"], 10)).length).toBeGreaterThan(0);
  });

  it("is nothing where it was not asked for, or before the run has ended", async () => {
    await expectError(hub.openWorkspace(await complete(shellFixture("ok"))), "NOT_FOUND");
    await expectError(hub.openWorkspace(NOBODY), "RUN_NOT_FOUND");
    const id = await submit(shellFixture("sleeps"), { workspace: { hold: true } });
    await expectError(hub.openWorkspace(id), "ILLEGAL_TRANSITION");
    await expectError(hub.release(id), "ILLEGAL_TRANSITION");
    await expectError(hub.verify(verification(id), new AbortController().signal), "ILLEGAL_TRANSITION");
    await hub.cancel(id);
    await ended(id);
  });

  it("is judged by the hub, whose answer comes back unchanged", async () => {
    const id = await complete(shellFixture("ok"));
    const done = await hub.verify(verification(id), new AbortController().signal);
    expect(done).toMatchObject({ rewards: { reward: 1 }, output: "1 passed", notes: ["a note"] });
    expect(Buffer.from(done.files["reward.txt"] ?? []).toString()).toBe("1");
    const broken = { ...verification(id), command: ["fail"] };
    await expectError(
      hub.verify(broken, new AbortController().signal),
      "ENVIRONMENT_UNAVAILABLE",
      /no bwrap/,
    );
    await expectError(hub.verify(verification(NOBODY), new AbortController().signal), "RUN_NOT_FOUND");
  });
}

function verification(runId: string): VerifyRequest {
  return {
    runId,
    environment: {},
    system: "restored",
    files: [],
    command: ["pass"],
    env: {},
    timeoutMs: 1000,
    reward: "files",
  };
}

/** A verifier for hubs under test: passes, unless the command is `fail`. */
export const verifyInTests: Verify = async ({ command }) => {
  if (command[0] === "fail") throw new ProctorError("ENVIRONMENT_UNAVAILABLE", "there is no bwrap here");
  const files = { "reward.txt": new TextEncoder().encode("1") };
  const judged = { rewards: { reward: 1 }, output: "1 passed", notes: ["a note"], files };
  return { ...judged, timedOut: false, exitCode: 0, setupMs: 1, durationMs: 2 };
};

async function text(bytes: Promise<AsyncIterable<Uint8Array>>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
