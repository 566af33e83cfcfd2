// What is left out of a snapshot stays out, with everything below it.
import { expect, it } from "vitest";
import { decodeSnapshot } from "./decode-snapshot.ts";
import { encodeSnapshot } from "./encode-snapshot.ts";
import type { SnapshotEntry } from "./snapshot.ts";
import { withoutPaths } from "./without-paths.ts";

async function* entries(): AsyncGenerator<SnapshotEntry> {
  const facts = { mode: 0o644, uid: 0, gid: 0, mtime: new Date(0) };
  yield { ...facts, path: "/tests", type: "symlink", target: "/app" };
  yield { ...facts, path: "/tests/x", type: "directory" };
  yield { ...facts, path: "/testsuite", type: "directory" };
  yield { ...facts, path: "/app", type: "directory" };
}

it("leaves out those places and what is below them, and nothing that only begins alike", async () => {
  const whole = encodeSnapshot(
    { removed: ["/tests/old", "/etc/x"], opaque: ["/tests/deep", "/var"], entries: entries() },
    { maxBytes: 1e6 },
  );
  const left = await decodeSnapshot(withoutPaths(whole, ["/tests"]));
  const paths: string[] = [];
  for await (const { path } of left.entries) paths.push(path);
  expect(paths).toEqual(["/testsuite", "/app"]);
  expect(left.removed).toEqual(["/etc/x"]);
  expect(left.opaque).toEqual(["/var"]);
});
