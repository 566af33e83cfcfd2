// Cases of a store: artifacts that are kept beside runs.
import { expect, it } from "vitest";
import type { NewSavedArtifact } from "../../core/ports/saved-artifacts.ts";
import type { Store } from "../../core/ports/store.ts";
import { artifactAdded, startRun } from "../../../test/support/stores/fixtures.ts";

const LIMITS = { fileBytes: 1000, sessionBytes: 1000, count: 100 };
const KEY = { app: "writer", user: "ada", session: "s1", name: "a.txt" };

function saved(changes: Partial<NewSavedArtifact> = {}): NewSavedArtifact {
  return {
    ...KEY,
    mime_type: "text/plain",
    size_bytes: 3,
    content_hash: "sha256:aa",
    metadata: {},
    created_at: "2026-01-02T03:04:05.678Z",
    reuse: false,
    ...changes,
  };
}

export function savedCases(use: () => Store, reopen: () => Promise<Store>): void {
  it("numbers the versions of an artifact from 1 on, each with its own notes", async () => {
    const { reuse: _, ...first } = saved({ metadata: { by: "x", deep: { a: [1] } } });
    expect(await use().savedArtifacts.add({ ...first, reuse: false }, LIMITS)).toEqual({
      ...first,
      version: 1,
    });
    await use().savedArtifacts.add(saved({ content_hash: "sha256:bb", mime_type: "text/csv" }), LIMITS);
    const store = await reopen();
    expect(await store.savedArtifacts.read(KEY, 1)).toEqual({ ...first, version: 1 });
    expect(await store.savedArtifacts.read(KEY)).toMatchObject({
      version: 2,
      mime_type: "text/csv",
      metadata: {},
    });
    expect(await store.savedArtifacts.read(KEY, 3)).toBeUndefined();
    expect(await store.savedArtifacts.read({ ...KEY, name: "b" })).toBeUndefined();
  });

  it("gives every one of many writers at once a version of its own", async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => use().savedArtifacts.add(saved(), LIMITS)),
    );
    expect(made.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
  });

  it("returns the newest version that has the same bytes and type when it may be used again", async () => {
    const { savedArtifacts } = use();
    await savedArtifacts.add(saved(), LIMITS);
    await savedArtifacts.add(saved({ content_hash: "sha256:bb" }), LIMITS);
    expect(await savedArtifacts.add(saved({ reuse: true }), LIMITS)).toMatchObject({ version: 1 });
    expect(await savedArtifacts.add(saved({ reuse: true, mime_type: "text/csv" }), LIMITS)).toMatchObject({
      version: 3,
    });
    expect(await savedArtifacts.add(saved(), LIMITS)).toMatchObject({ version: 4 });
    expect(await savedArtifacts.add(saved({ reuse: true }), LIMITS)).toMatchObject({ version: 4 });
  });

  it("shows a session its own artifacts and those of its user, page by page", async () => {
    const { savedArtifacts } = use();
    for (const name of ["b", "user:b", "a", "user:a", "ü", "Z"]) {
      await savedArtifacts.add(saved({ name }), LIMITS);
    }
    await savedArtifacts.add(saved({ name: "a" }), LIMITS);
    await savedArtifacts.add(saved({ name: "user:a", session: "s2" }), LIMITS);
    const others = [
      { session: "s2", name: "c" },
      { user: "bob", name: "user:c" },
      { app: "x", name: "d" },
    ];
    for (const other of others) await savedArtifacts.add(saved(other), LIMITS);
    const store = await reopen();
    const all = async (limit: number): Promise<string[]> => {
      const found: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await store.savedArtifacts.list(KEY, { limit, ...(cursor && { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        expect(page.items.every(({ session }) => session === "s1")).toBe(true);
        found.push(...page.items.map(({ name, version }) => `${name} ${version}`));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return found;
    };
    const expected = ["user:a 2", "user:b 1", "Z 1", "a 2", "b 1", "ü 1"];
    for (const limit of [1, 2, 3, 4, 6, 100]) expect(await all(limit)).toEqual(expected);
    const { next_cursor: cursor } = await store.savedArtifacts.list(KEY, { limit: 1 });
    await expect(
      store.savedArtifacts.list({ ...KEY, session: "s2" }, { cursor: cursor ?? "" }),
    ).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  it("lists versions, the oldest first, page by page", async () => {
    for (let index = 0; index < 5; index++) await use().savedArtifacts.add(saved(), LIMITS);
    const first = await use().savedArtifacts.versions(KEY, { limit: 3 });
    const second = await use().savedArtifacts.versions(KEY, { limit: 3, cursor: first.next_cursor ?? "" });
    expect([first, second].map(({ items }) => items.map(({ version }) => version))).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(second.next_cursor).toBeNull();
    expect(await use().savedArtifacts.versions({ ...KEY, name: "b" }, {})).toEqual({
      items: [],
      next_cursor: null,
    });
  });

  it("keeps no more versions and no more bytes of a session than it may", async () => {
    const { savedArtifacts } = use();
    const limits = { fileBytes: 10, sessionBytes: 10, count: 3 };
    await savedArtifacts.add(saved({ size_bytes: 8 }), limits);
    const refused = { code: "LIMIT_REACHED" };
    await expect(savedArtifacts.add(saved({ size_bytes: 3, name: "b" }), limits)).rejects.toMatchObject(
      refused,
    );
    // What is used again takes no room.
    expect(await savedArtifacts.add(saved({ size_bytes: 8, reuse: true }), limits)).toMatchObject({
      version: 1,
    });
    for (const name of ["c", "d"]) await savedArtifacts.add(saved({ size_bytes: 0, name }), limits);
    await expect(savedArtifacts.add(saved({ size_bytes: 0 }), limits)).rejects.toMatchObject(refused);
    await savedArtifacts.add(saved({ session: "s2" }), limits);
    await savedArtifacts.add(saved({ name: "user:x" }), limits);
    await savedArtifacts.remove({ ...KEY, name: "c" });
    await savedArtifacts.add(saved({ size_bytes: 0 }), limits);
  });

  it("counts bytes as needed while an artifact beside runs or one of a run refers to them", async () => {
    const { savedArtifacts } = use();
    await savedArtifacts.add(saved(), LIMITS);
    await savedArtifacts.add(saved({ content_hash: "sha256:bb" }), LIMITS);
    await savedArtifacts.add(saved({ content_hash: "sha256:cc" }), LIMITS);
    await savedArtifacts.add(saved({ content_hash: "sha256:cc", name: "other" }), LIMITS);
    await use().append(await startRun(use()), [artifactAdded("r", "bb")]);
    const hashes = ["aa", "bb", "cc", "dd"];
    expect(await use().unreferenced({ hashes, names: [] })).toEqual({ hashes: ["dd"], names: [] });
    expect(await savedArtifacts.remove(KEY)).toEqual(["aa"]);
    expect(await use().unreferenced({ hashes, names: [] })).toEqual({ hashes: ["aa", "dd"], names: [] });
  });

  it("removes all versions of an artifact, and never uses their numbers again", async () => {
    await use().savedArtifacts.add(saved(), LIMITS);
    await use().savedArtifacts.add(saved(), LIMITS);
    await use().savedArtifacts.remove(KEY);
    const { savedArtifacts } = await reopen();
    expect(await savedArtifacts.remove(KEY)).toBeUndefined();
    expect(await savedArtifacts.read(KEY)).toBeUndefined();
    expect(await savedArtifacts.read(KEY, 2)).toBeUndefined();
    expect((await savedArtifacts.list(KEY, {})).items).toEqual([]);
    expect((await savedArtifacts.versions(KEY, {})).items).toEqual([]);
    expect(await savedArtifacts.add(saved({ reuse: true }), LIMITS)).toMatchObject({ version: 3 });
    expect((await savedArtifacts.list(KEY, {})).items).toMatchObject([{ version: 3 }]);
  });
}
