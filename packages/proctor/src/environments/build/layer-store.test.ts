import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openLayerStore } from "./layer-store.ts";

const KEY = "a".repeat(64);
const OTHER = "b".repeat(64);
let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "layers-"));
});

afterEach(() => rm(stateDir, { recursive: true, force: true }));

test("a layer is made once, with its notes", async () => {
  const store = await openLayerStore(stateDir);
  let made = 0;
  const fill = async (upper: string): Promise<string[]> => {
    made += 1;
    await writeFile(join(upper, "file"), "x");
    return ["note"];
  };
  const first = await store.get(KEY, ["/below"], fill);
  const second = await store.get(KEY, ["/below"], fill);
  expect(second).toEqual(first);
  expect(first).toMatchObject({
    notes: ["note"],
    layers: [expect.stringContaining("layers/aaaa"), "/below"],
  });
  expect(await readFile(join(first.layers[0] ?? "", "file"), "utf8")).toBe("x");
  expect(made).toBe(1);
});

test("a build that fails or is cut off is never taken for a layer", async () => {
  const store = await openLayerStore(stateDir);
  await expect(store.get(KEY, [], () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await readdir(join(stateDir, "layers"))).toEqual([]);
  // Of a process that is gone (the number is above every limit of Linux), and of one whose number this process has now.
  for (const owner of ["99999999-5", `${process.pid}-1`])
    await mkdir(join(stateDir, `layers/.building-${owner}.x/fs`), { recursive: true });
  await openLayerStore(stateDir);
  expect(await readdir(join(stateDir, "layers"))).toEqual([]);
});

test("two stores that make the same layer at once both get it", async () => {
  const [one, two] = [await openLayerStore(stateDir), await openLayerStore(stateDir)];
  const fill = async (upper: string): Promise<string[]> => {
    await writeFile(join(upper, "file"), "same");
    return [];
  };
  const layers = await Promise.all([one.get(KEY, [], fill), two.get(KEY, [], fill), one.get(KEY, [], fill)]);
  expect(new Set(layers.map((layer) => layer.layers[0])).size).toBe(1);
  expect(await readdir(join(stateDir, "layers"))).toEqual(["a".repeat(20)]);
});

test("a layer takes the place of the one below it where there are too many for one mount", async () => {
  const store = await openLayerStore(stateDir, 10);
  const below = await store.get(KEY, [], async (upper) => {
    await writeFile(join(upper, "old"), "old");
    return [];
  });
  const joined = await store.get(OTHER, below.layers, async (upper, under) => {
    expect(under).toEqual([]);
    await writeFile(join(upper, "new"), "new");
    return [];
  });
  expect(joined.layers).toHaveLength(1);
  expect((await readdir(joined.layers[0] ?? "")).sort()).toEqual(["new", "old"]);
});
