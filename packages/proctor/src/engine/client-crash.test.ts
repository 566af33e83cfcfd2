// Invariant 2 for runs that clients carry out: the hub is killed with -9 while runs are opened, told of, given files and removed.
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { bundleProgram } from "../../test/support/bundle-program.ts";
import { openTestHub } from "../../test/support/test-hub.ts";

type Line = [kind: string, ...words: string[]];

let program: string;
let folder: string;
beforeAll(async () => {
  program = await bundleProgram(
    fileURLToPath(new URL("../../test/support/engine/work-forever.ts", import.meta.url)),
  );
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-client-crash-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The lines that the program printed before it was killed after `killAfter` of them. */
async function runProgram(mode: "work" | "sweep", killAfter = Infinity): Promise<Line[]> {
  const child = spawn(process.execPath, [program, folder, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines: Line[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut off in the middle: then it was not said.
    if (!line.endsWith("]")) continue;
    lines.push(JSON.parse(line) as Line);
    if (lines.length === killAfter) child.kill("SIGKILL");
  }
  expect(await exited).toEqual(mode === "work" ? [null, "SIGKILL"] : [0, null]);
  return lines;
}

it("a killed hub loses nothing that was acknowledged, and leaves no file without an owner after the sweep", async () => {
  const lines = [...(await runProgram("work", 150)), ...(await runProgram("work", 240))];
  // Whatever the kills happened to leave, these are certain.
  const artifacts = join(folder, "artifacts");
  const orphan = `${randomUUID()}_x_1_orphan.txt`;
  await writeFile(join(artifacts, orphan), "nobody's");
  await writeFile(join(artifacts, "tmp", "unfinished"), "half");
  await writeFile(join(artifacts, "notes.txt"), "somebody's own");
  const [swept] = await runProgram("sweep");
  expect(swept?.[0]).toBe("swept");
  expect(Number(swept?.[1])).toBeGreaterThan(0);

  const opened = await openTestHub({ folder });
  const { hub, store } = opened;
  try {
    const of = (kind: string): string[][] =>
      lines.filter(([found]) => found === kind).map(([, ...words]) => words);
    // What was being removed may be gone or not.
    const removing = new Set(of("removing").map(([id]) => id));
    const taking = new Set(of("taking").map(([, artifact]) => artifact));
    const removed = new Set(of("removed").map(([id]) => id));
    expect(Math.min(of("file").length, removed.size, of("taken").length)).toBeGreaterThan(3);

    for (const [id = ""] of of("run")) {
      if (removed.has(id)) await expect(hub.run(id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
      if (removing.has(id)) continue;
      const run = await hub.run(id);
      // Nobody closed it: its client may go on.
      expect(["running", "completed"]).toContain(run.status);
      const events = await hub.events(id, { limit: 1000 });
      expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index));
    }
    for (const [id = "", stepId, status] of of("step")) {
      if (removing.has(id)) continue;
      const { steps } = await hub.steps(id);
      const step = steps.find((one) => one.id === stepId);
      expect(status === "created" ? step !== undefined : step?.status === "completed").toBe(true);
    }
    for (const [id = "", artifactId = "", hash, storedAs = ""] of of("file")) {
      if (removing.has(id) || taking.has(artifactId)) continue;
      const chunks: Uint8Array[] = [];
      for await (const chunk of await hub.readArtifact(id, artifactId)) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      expect(`sha256:${createHash("sha256").update(bytes).digest("hex")}`).toBe(hash);
      expect(await readFile(join(artifacts, storedAs))).toEqual(bytes);
    }
    for (const [id = "", artifactId = ""] of of("taken")) {
      if (removing.has(id)) continue;
      await expect(hub.artifact(id, artifactId)).rejects.toMatchObject({ code: "ARTIFACT_NOT_FOUND" });
    }

    const files = await readdir(artifacts, { recursive: true, withFileTypes: true });
    const names: string[] = [];
    const hashes: string[] = [];
    for (const file of files.filter((entry) => entry.isFile())) {
      if (file.parentPath === artifacts) names.push(file.name);
      else hashes.push(file.parentPath.slice(-2) + file.name);
    }
    expect(names).toEqual(expect.arrayContaining(["notes.txt", ".proctor-owner"]));
    const owned = names.filter((name) => name.includes("_"));
    expect(owned).not.toContain(orphan);
    expect(await store.unreferenced({ hashes, names: owned })).toEqual({ hashes: [], names: [] });
    expect(await readdir(join(artifacts, "tmp"))).toEqual([]);
  } finally {
    await opened.close();
  }
});
