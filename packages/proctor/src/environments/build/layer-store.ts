// Layers of images, by the hash of what they were made from. One is made beside its place and moved there when it is whole, so that what
// a crash leaves is never taken for a layer, and two processes that make the same one are both right.
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ownedName, removeAbandoned } from "../../runtime/files/owned-names.ts";

const run = promisify(execFile);

export interface Layer {
  /** Directories of this machine, the topmost first: this layer and those below it. */
  layers: string[];
  notes: string[];
}

export interface LayerStore {
  /** Resolves with the layer of a key. Where there is none, `fill` writes it into a directory and returns what to note. */
  get(key: string, below: readonly string[], fill: Fill): Promise<Layer>;
}

/** Fills a layer: `upper` receives the files, `below` are the layers under it. */
export type Fill = (upper: string, below: readonly string[]) => Promise<string[]>;

/** Bytes of all layers' paths. The kernel takes one page of mount options, which also name the root and the upper directory. */
const MAX_PATH_BYTES = 2500;
const UNFINISHED = ".building-";

export async function openLayerStore(stateDir: string, maxPathBytes = MAX_PATH_BYTES): Promise<LayerStore> {
  const dir = join(stateDir, "layers");
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await removeAbandoned(dir, UNFINISHED);

  return {
    async get(key, below, fill) {
      const place = join(dir, key.slice(0, 20));
      const upper = join(place, "fs");
      // Where there are too many for one mount, the new layer replaces the one below it and includes its files.
      const joins = below.length > 0 && [upper, ...below].join(":").length > maxPathBytes;
      const layers = [upper, ...(joins ? below.slice(1) : below)];
      const known = await read(place);
      if (known) return { layers, notes: known };

      const unfinished = join(dir, `${UNFINISHED}${ownedName(randomBytes(6).toString("hex"))}`);
      try {
        await mkdir(join(unfinished, "fs"), { recursive: true, mode: 0o700 });
        // These are the permissions of / inside.
        await chmod(join(unfinished, "fs"), 0o755);
        if (joins) await run("cp", ["-a", "--reflink=auto", `${below[0]}/.`, join(unfinished, "fs")]);
        const notes = await fill(join(unfinished, "fs"), layers.slice(1));
        await writeFile(join(unfinished, "layer.json"), JSON.stringify({ version: 1, key, notes }));
        await removeOthers(unfinished);
        await rename(unfinished, place).catch(async (error: unknown) => {
          // Another process may have been faster.
          if ((await read(place)) === undefined) throw error;
        });
        return { layers, notes };
      } finally {
        await rm(unfinished, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}

async function read(place: string): Promise<string[] | undefined> {
  const text = await readFile(join(place, "layer.json"), "utf8").catch(() => undefined);
  // The file was written by this module.
  return text === undefined ? undefined : (JSON.parse(text) as { notes: string[] }).notes;
}

/** Removes what overlayfs needed next to the layer while it was made. */
async function removeOthers(unfinished: string): Promise<void> {
  for (const name of await readdir(unfinished)) {
    if (name !== "fs" && name !== "layer.json")
      await rm(join(unfinished, name), { recursive: true, force: true });
  }
}
