// What is left out of a snapshot stays out, with everything below it.
import { expect, it } from "vitest";
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry } from "./snapshot.ts";
import { choosePaths } from "./choose-paths.ts";

async function* entries(): AsyncGenerator<SnapshotEntry> {
  const facts = { mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) };
  yield { ...facts, path: "/tests", type: "symlink", target: "/app" };
  yield { ...facts, path: "/tests/x", type: "directory" };
  yield { ...facts, path: "/testsuite", type: "directory" };
  yield { ...facts, path: "/app", type: "directory" };
}

it("a choice of paths leaves out those places and what is below them, and nothing that only begins alike", async () => {
  const whole = encodeSnapshot(
    { removed: ["/tests/old", "/etc/x"], opaque: ["/tests/deep", "/var"], entries: entries() },
    { maxBytes: 1e6 },
  );
  const left = await decodeSnapshot(choosePaths(whole, { without: ["/tests"] }));
  const paths: string[] = [];
  for await (const { path } of left.entries) paths.push(path);
  expect(paths).toEqual(["/testsuite", "/app"]);
  expect(left.removed).toEqual(["/etc/x"]);
  expect(left.opaque).toEqual(["/var"]);
});

it("a choice of paths takes nothing but those places where only they are asked for", async () => {
  const whole = encodeSnapshot({ removed: ["/etc/x"], opaque: [], entries: entries() }, { maxBytes: 1e6 });
  const left = await decodeSnapshot(choosePaths(whole, { only: ["/app", "/tests"], without: ["/tests/x"] }));
  const paths: string[] = [];
  for await (const { path } of left.entries) paths.push(path);
  expect(paths).toEqual(["/tests", "/app"]);
  expect(left.removed).toEqual([]);
});
