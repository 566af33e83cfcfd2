import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ArtifactService, NewVersion } from "../core/ports/artifact-service.ts";
import type { Store } from "../core/ports/store.ts";
import { openArtifacts, type OpenedArtifacts } from "../../test/support/stores/artifacts.ts";
import type { SweptBlobs } from "./blobs/swept-blobs.ts";

const KEY = { app: "writer", user: "ada", session: "s1", name: "report.csv" };
let directory: string;
let store: Store;
let blobs: SweptBlobs;
let service: ArtifactService;

let bytesOf: OpenedArtifacts["textOf"];

async function open(): Promise<void> {
  const opened = await openArtifacts(directory, { fileBytes: 1000, sessionBytes: 3000, count: 10 });
  ({ store, blobs, artifacts: service, textOf: bytesOf } = opened);
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "proctor-artifacts-"));
  await open();
});

afterEach(async () => {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

const text = (content: string): NewVersion => ({ content: Buffer.from(content), mimeType: "text/csv" });

/** Paths of the blobs and unfinished files below the directory. */
const files = (): string[] =>
  readdirSync(join(directory, "blobs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ name }) => name);

describe("the artifact service", () => {
  it("keeps versions with their bytes over a restart", async () => {
    await service.save(KEY, { ...text("one"), metadata: { from: "x" } });
    await service.save(KEY, text("two"));
    await store.close();
    await open();
    expect(await bytesOf(await service.find(KEY, 1))).toBe("one");
    expect(await bytesOf(await service.find(KEY, "latest"))).toBe("two");
    expect(await service.find(KEY, 1)).toMatchObject({
      version: 1,
      mime_type: "text/csv",
      size_bytes: 3,
      metadata: { from: "x" },
      content_hash: `sha256:${createHash("sha256").update("one").digest("hex")}`,
    });
  });

  it("gives concurrent writers distinct versions with the right bytes", async () => {
    const saved = await Promise.all(
      Array.from({ length: 8 }, (_, index) => service.save(KEY, text(`${index}`))),
    );
    expect(new Set(saved.map(({ version }) => version)).size).toBe(8);
    for (const [index, artifact] of saved.entries()) expect(await bytesOf(artifact)).toBe(`${index}`);
  });

  it("shares artifacts of a user between sessions, and nothing between users", async () => {
    await service.save({ ...KEY, name: "user:notes" }, text("mine"));
    const other = { ...KEY, session: "s2", name: "user:notes" };
    expect(await bytesOf(await service.find(other, "latest"))).toBe("mine");
    await expect(service.find({ ...other, user: "bob" }, "latest")).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
    });
    expect((await service.list(other, {})).items).toMatchObject([{ name: "user:notes", session: "s2" }]);
  });

  it.each([
    "",
    ".",
    "..",
    "../x",
    "/etc/passwd",
    "a/b",
    "a\\b",
    "a\0",
    "a\nb",
    "x".repeat(256),
    "user:",
    "\ud800",
  ])("refuses the name %j everywhere", async (name) => {
    const key = { ...KEY, name };
    const refused = { code: "INVALID_REQUEST", details: [{ path: "name" }] };
    await expect(service.save(key, text("x"))).rejects.toMatchObject(refused);
    await expect(service.find(key, 1)).rejects.toMatchObject(refused);
    await expect(service.versions(key, {})).rejects.toMatchObject(refused);
    await expect(service.remove(key)).rejects.toMatchObject(refused);
    await expect(
      service.save({ ...KEY, session: name.replace("user:", "") }, text("x")),
    ).rejects.toMatchObject({
      code: "INVALID_REQUEST",
      details: [{ path: "session" }],
    });
    expect(files()).toEqual([]);
  });

  it("keeps nothing of what is too large, cut off, or more than a session may have", async () => {
    const flood = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) yield Buffer.alloc(400);
    };
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.alloc(10);
      throw new Error("the peer went away");
    };
    await expect(service.save(KEY, { ...text(""), content: flood() })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    await expect(service.save(KEY, { ...text(""), content: broken() })).rejects.toThrow("the peer went away");
    const metadata = { big: "x".repeat(20_000) };
    await expect(service.save(KEY, { ...text("x"), metadata })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    });
    expect(files()).toEqual([]);
    for (const letter of "abc") await service.save(KEY, text(letter.repeat(1000)));
    await expect(service.save(KEY, text("d"))).rejects.toMatchObject({ code: "LIMIT_REACHED" });
    expect(files()).toHaveLength(3);
  });

  it("uses the same bytes again where the caller allows it", async () => {
    const first = await service.save(KEY, text("same"));
    expect(await service.save(KEY, { ...text("same"), reuse: true })).toEqual(first);
    expect(await service.save(KEY, text("same"))).toMatchObject({ version: 2 });
    expect(files()).toHaveLength(1);
  });

  it("removes bytes with the last artifact that has them, and the sweeper leaves the others alone", async () => {
    await service.save(KEY, text("shared"));
    await service.save({ ...KEY, name: "other" }, text("shared"));
    await service.save(KEY, text("alone"));
    await service.remove(KEY);
    expect(files()).toHaveLength(1);
    await blobs.sweepOrphans("hub", (asked) => store.unreferenced(asked));
    expect(await bytesOf(await service.find({ ...KEY, name: "other" }, 1))).toBe("shared");
    await service.remove({ ...KEY, name: "other" });
    expect(files()).toEqual([]);
    await expect(service.remove(KEY)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
  });

  it("stops as soon as the signal fires, while the source is silent", async () => {
    const stop = new AbortController();
    const silent = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("x");
      stop.abort(new Error("enough"));
      await new Promise(() => {});
    };
    await expect(service.save(KEY, { ...text(""), content: silent() }, stop.signal)).rejects.toThrow(
      "enough",
    );
    expect(files()).toEqual([]);
  });
});
