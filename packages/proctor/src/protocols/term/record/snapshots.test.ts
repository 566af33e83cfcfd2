import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ReceivedArtifact } from "../../../core/ports/driver.ts";
import type { Environment, SnapshotOptions } from "../../../core/ports/environments.ts";
import { createReportQueue, type ReportQueue } from "../report-queue.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createScratch, type Scratch } from "./scratch.ts";
import { createSnapshots, type Snapshots, type SnapshotsOptions } from "./snapshots.ts";

let reports: ReportQueue;
let scratch: Scratch;
beforeEach(() => {
  reports = createReportQueue();
  scratch = createScratch();
});
afterEach(() => scratch.close());

/** Each chunk of a snapshot is given when the test says so. */
function create(policy: SnapshotsOptions["policy"], options: { bytes?: number; fails?: boolean } = {}) {
  let time = 0;
  let began = 0;
  let go = (): void => undefined;
  const asked: SnapshotOptions[] = [];
  const environment = {
    async *snapshot(given: SnapshotOptions) {
      asked.push(given);
      began++;
      await new Promise<void>((resolve) => (go = resolve));
      if (options.fails === true) throw new Error("more than 512 MB");
      for (let left = options.bytes ?? 3; left > 0; left -= 65536)
        yield Buffer.alloc(Math.min(left, 65536), 120);
    },
  } as unknown as Environment;
  const redact = (content: Uint8Array): Uint8Array => content;
  const snapshots: Snapshots = createSnapshots({
    environment,
    policy,
    reports,
    scratch,
    redact,
    now: () => time,
  });
  return {
    snapshots,
    asked,
    redact,
    get began() {
      return began;
    },
    pass: (ms: number) => (time += ms),
    finish: () => go(),
  };
}

async function taken(): Promise<ReceivedArtifact[]> {
  reports.end();
  const all = (await reports.take()) ?? [];
  return all.flatMap((report) => (report.kind === "artifact" ? [report.artifact] : []));
}

describe("snapshots of a terminal run", () => {
  it("after each step are done before the next command runs", async () => {
    const each = create("each");
    each.snapshots.afterStep(1);
    const settled = each.snapshots.settled();
    expect(settled).toBeInstanceOf(Promise);
    let done = false;
    void settled?.then(() => (done = true));
    await turns();
    expect(done).toBe(false);
    each.finish();
    await settled;
    expect(each.snapshots.settled()).toBeUndefined();
    each.snapshots.afterStep(2);
    each.finish();
    await each.snapshots.settled();
    expect(await taken()).toMatchObject([
      { path: "terminal/snapshots/step-1.tar", extensions: { step: 1 }, content_type: "application/x-tar" },
      { path: "terminal/snapshots/step-2.tar", extensions: { step: 2 } },
    ]);
    expect(each.asked[0]).toEqual({ maxBytes: 512 * 1024 * 1024, redact: each.redact });
  });

  it("are taken where they cost less than a twentieth of the time", async () => {
    const auto = create("auto");
    auto.pass(399);
    auto.snapshots.afterStep(1);
    expect(auto.began).toBe(0);
    auto.pass(2);
    auto.snapshots.afterStep(2);
    await expect.poll(() => auto.began).toBe(1);
    auto.pass(100);
    auto.finish();
    await auto.snapshots.settled();
    // That one took 100 ms: the next is due after two seconds.
    auto.pass(1900);
    auto.snapshots.afterStep(3);
    expect(auto.began).toBe(1);
    auto.pass(200);
    auto.snapshots.afterStep(4);
    await expect.poll(() => auto.began).toBe(2);
  });

  it("do not keep a command waiting for long, and are given up instead", async () => {
    const auto = create("auto");
    auto.pass(10_000);
    auto.snapshots.afterStep(1);
    await expect.poll(() => auto.began).toBe(1);
    // It is never finished here: waiting for it would not end.
    await auto.snapshots.settled();
    // The command runs, and the next need not wait either.
    expect(auto.snapshots.settled()).toBeUndefined();
    auto.finish();
    await turns();
    expect(await taken()).toEqual([]);
  });

  it.each(["auto", "each", "last"] as const)("are taken in the end: %s", async (policy) => {
    const final = create(policy);
    const last = final.snapshots.last(7, new AbortController().signal);
    await expect.poll(() => final.began).toBe(1);
    final.finish();
    expect(await last).toBeUndefined();
    expect(await taken()).toMatchObject([
      { path: "terminal/snapshots/step-7.tar", extensions: { step: 7, final: true } },
    ]);
  });

  it("are not taken at all where they are off", async () => {
    const off = create("off");
    off.pass(100_000);
    off.snapshots.afterStep(1);
    await off.snapshots.last(1, new AbortController().signal);
    expect(off.began).toBe(0);
  });

  it("say why they could not be taken", async () => {
    const failing = create("last", { fails: true });
    const last = failing.snapshots.last(1, new AbortController().signal);
    await expect.poll(() => failing.began).toBe(1);
    failing.finish();
    expect(await last).toBe("more than 512 MB");
    expect(await taken()).toEqual([]);
  });

  it("that are large pass through a file that has no name even then", async () => {
    // Other workers have such files, too, and each has a name for a moment.
    vi.stubEnv("TMPDIR", temporaryFolder("snapshots"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const before = await scratchFiles();
    const large = create("last", { bytes: 3 * 1024 * 1024 });
    const last = large.snapshots.last(1, new AbortController().signal);
    await expect.poll(() => large.began).toBe(1);
    large.finish();
    await last;
    expect(await scratchFiles()).toEqual(before);
    const [artifact] = await taken();
    expect(artifact).not.toHaveProperty("content");
    let bytes = 0;
    if (artifact?.type === "file") for await (const chunk of artifact.read?.() ?? []) bytes += chunk.length;
    expect(bytes).toBe(3 * 1024 * 1024);
    await scratch.close();
    expect(await scratchFiles()).toEqual(before);
  });
});

/** Lets everything happen that is due already. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function scratchFiles(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith(".proctor-")).sort();
}
