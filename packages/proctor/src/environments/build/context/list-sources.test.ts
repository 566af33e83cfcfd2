import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashSources } from "./hash-sources.ts";
import { readIgnoreRules } from "../../ignore-rules.ts";
import { listSources, type Source } from "./list-sources.ts";

const at = { file: "Dockerfile", line: 3 };
let dir: string;

beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), "context-")));
  await mkdir(join(dir, "ctx/data/deep"), { recursive: true });
  await writeFile(join(dir, "secret"), "outside");
  await writeFile(join(dir, "ctx/a.txt"), "a");
  await writeFile(join(dir, "ctx/b.txt"), "b");
  await writeFile(join(dir, "ctx/data/one"), "1", { mode: 0o755 });
  await writeFile(join(dir, "ctx/data/deep/two"), "2");
});

afterEach(() => rm(dir, { recursive: true, force: true }));

const list = (pattern: string, ignore = ""): Promise<Source[]> =>
  listSources({ dir: join(dir, "ctx"), ignore: readIgnoreRules(ignore) }, pattern, at);

const hash = async (pattern: string): Promise<string> =>
  hashSources(await list(pattern), new AbortController().signal);

test("COPY patterns name files, and directories stand for their content", async () => {
  expect((await list("*.txt")).map(({ name, type }) => [name, type])).toEqual([
    ["a.txt", "file"],
    ["b.txt", "file"],
  ]);
  const [data] = await list("./data/");
  expect(data?.entries.map(({ path, type }) => [path, type])).toEqual([
    ["deep", "directory"],
    ["deep/two", "file"],
    ["one", "file"],
  ]);
  const [all] = await list(".");
  expect(all?.entries).toHaveLength(6);
});

test("sources that .dockerignore leaves out are not copied, and those it takes back are", async () => {
  const [all] = await list(".", "data\n!data/deep/two\na.txt");
  expect(all?.entries.map(({ path }) => path)).toEqual(["b.txt", "data", "data/deep", "data/deep/two"]);
  await expect(list("a.txt", "a.txt")).rejects.toThrow("Dockerfile:3: there is no a.txt in the context");
});

test("COPY reads nothing outside of the context, not even through links", async () => {
  await symlink("../secret", join(dir, "ctx/leak"));
  await symlink("..", join(dir, "ctx/up"));
  await symlink("data", join(dir, "ctx/inside"));
  await expect(list("../secret")).rejects.toThrow("outside of the context");
  await expect(list("data/../../secret")).rejects.toThrow("outside of the context");
  await expect(list("leak")).rejects.toThrow("leads out of the context");
  await expect(list("up/secret")).rejects.toThrow("leads out of the context");
  expect((await list("inside"))[0]?.entries).toHaveLength(3);
  // As links they are harmless: inside, they lead to something else.
  const entries = (await list("."))[0]?.entries ?? [];
  expect(entries.find(({ path }) => path === "leak")).toMatchObject({ type: "link", target: "../secret" });
});

test("the hash of copied sources changes with names, bytes, permissions and links, and not with times", async () => {
  const before = await hash("data");
  await writeFile(join(dir, "ctx/data/one"), "1");
  expect(await hash("data")).toBe(before);
  await writeFile(join(dir, "ctx/data/one"), "3");
  expect(await hash("data")).not.toBe(before);
});
