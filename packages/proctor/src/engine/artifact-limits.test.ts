import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { fixture, openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import { DEFAULT_ARTIFACT_LIMITS, type ArtifactLimits } from "../core/artifact.ts";
import type { BlobStore } from "../core/ports/blob-store.ts";
import { createRedactor } from "../core/redact.ts";
import { createArtifactBudget } from "./artifact-budget.ts";
import { keepFile } from "./keep-file.ts";

const GB = 1024 * 1024 * 1024;
const limits = (some: Partial<ArtifactLimits>): ArtifactLimits => ({ ...DEFAULT_ARTIFACT_LIMITS, ...some });

let open: TestHub | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function setUp(options: TestHubOptions = {}): Promise<TestHub> {
  return (open = await openTestHub(options));
}

async function perform(hub: TestHub, files: string[], options = {}) {
  const agent = fixture("leaves-files", ...files);
  const { run } = await hub.hub.submit({ agent, task: { description: "leave them" }, options });
  return hub.ended(run.id);
}

/** Every file below the artifacts directory, with its size. */
async function storedFiles({ folder }: TestHub): Promise<Map<string, number>> {
  const root = join(folder, "artifacts");
  const found = new Map<string, number>();
  for (const name of await readdir(root, { recursive: true })) {
    const { size, ...entry } = await stat(join(root, name));
    if ((entry.mode & 0o170000) === 0o100000) found.set(name, size);
  }
  return found;
}

describe("an agent's files", () => {
  it("are not copied when one is too large: its record says why, and those after it are kept", async () => {
    const hub = await setUp();
    const run = await perform(hub, ["text:before.txt", `sparse:big.bin:${5 * GB}`, "text:after.txt"]);
    expect(run.status).toBe("completed");
    expect(run.artifacts).toMatchObject([
      { path: "before.txt", size_bytes: 10, content_hash: expect.any(String) as string },
      { path: "big.bin", size_bytes: 5 * GB, omitted: expect.stringContaining("104857600 bytes") as string },
      { path: "after.txt", size_bytes: 9, content_hash: expect.any(String) as string },
    ]);
    expect(run.artifacts[1]).not.toHaveProperty("content_hash");
    expect(run.violations).toMatchObject([{ rule: "artifact.too_large", where: "artifact big.bin" }]);
    expect([...(await storedFiles(hub)).values()]).toEqual(expect.arrayContaining([10, 9]));
    expect(Math.max(...(await storedFiles(hub)).values())).toBeLessThan(100);
  });

  it("are held to the same limits where the run collects them", async () => {
    const hub = await setUp({ artifactLimits: limits({ fileBytes: 1000 }) });
    const files = ["text:c.txt", "unnamed:a.bin:1001", "unnamed:b.bin:1000"];
    const run = await perform(hub, files, { workspace: { collect: ["*"] } });
    expect(run.artifacts.map(({ path, omitted }) => [path, omitted !== undefined])).toEqual([
      ["c.txt", false],
      ["a.bin", true],
      ["b.bin", false],
    ]);
    expect(run.violations).toMatchObject([{ rule: "artifact.too_large", where: "artifact a.bin" }]);
  });

  it("may not have more bytes together than the run allows", async () => {
    const hub = await setUp({ artifactLimits: limits({ runBytes: 2500 }) });
    const files = ["sparse:a:1000", "sparse:b:1001", "sparse:c:1002", "text:d"];
    const run = await perform(hub, files);
    expect(run.artifacts.map(({ omitted }) => omitted !== undefined)).toEqual([false, false, true, false]);
    expect(run.violations).toMatchObject([{ rule: "artifact.too_large", where: "artifact c" }]);
  });

  it("are kept up to the allowed number, and pipes are not files", async () => {
    const hub = await setUp({ artifactLimits: limits({ count: 990 }) });
    const run = await perform(hub, ["pipe:pipe", "counted:x.txt:1000"]);
    expect(run.artifacts).toHaveLength(990);
    expect(run.artifacts[0]).toMatchObject({ path: "pipe" });
    expect(run.artifacts[0]).not.toHaveProperty("content_hash");
    expect(new Set(run.violations.map(({ rule }) => rule))).toEqual(
      new Set(["artifact.missing", "artifact.count"]),
    );
    expect((await storedFiles(hub)).size).toBe(989);
  });

  it("are not copied beyond the run's end: nothing of them is left, and the run says so", async () => {
    const clock = createManualClock();
    let copying = (): void => undefined;
    const begun = new Promise<void>((resolve) => (copying = resolve));
    const hub = await setUp({ clock, graceMs: 100, wrapBlobs: (blobs) => stalling(blobs, copying) });
    const { run } = await hub.hub.submit({
      agent: fixture("leaves-files", "sparse:slow.bin:1000000", "text:after.txt"),
      task: { description: "leave them" },
      constraints: { timeout_seconds: 60 },
    });
    await begun;
    for (const ms of [60_000, 100, 5_000]) clock.advance(ms);
    const ended = await hub.ended(run.id);
    expect(ended).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    expect(ended.artifacts).toMatchObject([
      { path: "slow.bin", omitted: expect.stringContaining("over") as string },
      { path: "after.txt", omitted: expect.stringContaining("over") as string },
    ]);
    expect(ended.violations).toEqual([]);
    expect((await storedFiles(hub)).size).toBe(0);
  });
});

describe("bytes without a record", () => {
  it("are dropped when their run ends, unless another run has them", async () => {
    const shared = await setUp();
    await perform(shared, ["text:shared.txt"]);
    const { folder } = shared;
    expect((await storedFiles(shared)).size).toBe(1);
    // The run's records cannot be written: the bytes are there by then.
    const broken = await openTestHub({
      folder,
      wrapStore: (store) => ({
        ...store,
        append: (id, events, options) =>
          typeof events !== "function" && events.some(({ draft }) => draft.type === "artifact.added")
            ? Promise.reject(new Error("no records today"))
            : store.append(id, events, options),
      }),
    });
    await perform(broken, ["text:shared.txt", "text:lost.txt"]);
    await broken.hub.close();
    expect([...(await storedFiles(shared)).values()]).toEqual(["shared.txt".length]);
  });
});

describe("a file that grows while it is copied", () => {
  it("is cut off at the limit, and nothing of it is kept", async () => {
    const hub = await setUp();
    async function* growing(): AsyncGenerator<Uint8Array> {
      for (;;) yield new Uint8Array(1000);
    }
    const keeping = keepFile(
      { path: "grows.log", sizeBytes: 10, read: growing },
      {
        blobs: hub.blobs,
        redactor: createRedactor([]),
        canary: undefined,
        budget: createArtifactBudget(limits({ fileBytes: 5500 })),
        work: new AbortController(),
      },
    );
    await expect(keeping).rejects.toMatchObject({ rule: "artifact.too_large", sizeBytes: 6000 });
    expect((await storedFiles(hub)).size).toBe(0);
  });

  it("does not grow by redaction either", async () => {
    const hub = await setUp();
    async function* secrets(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("k9Z!".repeat(1000));
    }
    const keeping = keepFile(
      { path: "secrets.txt", sizeBytes: 4000, read: secrets },
      {
        blobs: hub.blobs,
        redactor: createRedactor([{ name: "A_NAME_THAT_IS_LONG", value: "k9Z!" }]),
        canary: undefined,
        budget: createArtifactBudget(limits({ fileBytes: 5500 })),
        work: new AbortController(),
      },
    );
    await expect(keeping).rejects.toMatchObject({ rule: "artifact.too_large" });
  });
});

/** A disk that takes the first piece of a file and then no more. */
function stalling(blobs: BlobStore, begun: () => void): BlobStore {
  return {
    ...blobs,
    put: (source, signal) => blobs.put(source instanceof Uint8Array ? source : stall(source, signal), signal),
  };
  async function* stall(source: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      yield chunk;
      begun();
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    }
  }
}
