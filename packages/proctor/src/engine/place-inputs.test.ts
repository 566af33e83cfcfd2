import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Artifact } from "../core/artifact.ts";
import type { Run } from "../core/run.ts";
import { placeInputs } from "./place-inputs.ts";

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "proctor-inputs-"));
  folder = join(root, "workspace");
  mkdirSync(folder);
  mkdirSync(join(root, "elsewhere"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The hash of a file is its content here. */
const given = (path: string, content: string, rest: object = {}): Artifact => ({
  id: path,
  type: "file",
  path,
  content_hash: `sha256:${content}`,
  agent_created: false,
  ...rest,
});

function place(...artifacts: Artifact[]): Promise<void> {
  async function* read(sha256: string): AsyncGenerator<Uint8Array> {
    yield Buffer.from(sha256);
  }
  return placeInputs({ artifacts } as Run, folder, { read }, new AbortController().signal);
}

test("a client's files are placed under their paths; of two with one path, the later", async () => {
  await place(given("a/b/one.txt", "1"), given("two.txt", "2"), given("two.txt", "3"));
  expect(readFileSync(join(folder, "a/b/one.txt"), "utf8")).toBe("1");
  expect(readFileSync(join(folder, "two.txt"), "utf8")).toBe("3");
});

test("files of the agent, and paths that lead out, are not placed", async () => {
  await place(
    given("made.txt", "1", { agent_created: true }),
    given("../out.txt", "2"),
    given("/abs.txt", "3"),
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(root).toSorted()).toEqual(["elsewhere", "workspace"]);
});

test("no link of a fixture is followed, neither a folder's nor a file's", async () => {
  symlinkSync(join(root, "elsewhere"), join(folder, "door"));
  writeFileSync(join(root, "elsewhere/kept.txt"), "kept");
  symlinkSync(join(root, "elsewhere/kept.txt"), join(folder, "file.txt"));
  await expect(place(given("door/in.txt", "1"))).rejects.toThrow(/no folder/);
  await expect(place(given("file.txt", "1"))).rejects.toThrow();
  expect(readdirSync(join(root, "elsewhere"))).toEqual(["kept.txt"]);
  expect(readFileSync(join(root, "elsewhere/kept.txt"), "utf8")).toBe("kept");
});
