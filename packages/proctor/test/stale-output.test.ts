// What the build removes from `dist`: output that no source stands for any more, and nothing else.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { staleOutput } from "../../../scripts/stale-output.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const folder = temporaryFolder("stale-output");
const root = fileURLToPath(new URL("../../..", import.meta.url));

function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
}

it("stale output is what has no source, with the folders that went", () => {
  write("src/kept.ts", "src/plain.mjs", "src/part/run.sh", "src/tested.test.ts");
  write("dist/kept.js", "dist/kept.d.ts", "dist/plain.mjs", "dist/plain.d.mts", "dist/part/run.sh");
  write("dist/.tsbuildinfo", "dist/program/start.js", "dist/program/chunk.js");
  write(
    "dist/removed.js",
    "dist/removed.d.ts",
    "dist/moved/away.js",
    "dist/part/old.sh",
    "dist/tested.test.js",
  );

  const stale = staleOutput(folder).map((path) => relative(join(folder, "dist"), path));

  expect(stale.toSorted()).toEqual([
    "moved",
    join("moved", "away.js"),
    join("part", "old.sh"),
    "removed.d.ts",
    "removed.js",
    "tested.test.js",
  ]);
});

it("there is no stale output in a package that was never built", () => {
  write("unbuilt/src/one.ts");
  expect(staleOutput(join(folder, "unbuilt"))).toEqual([]);
});

it.each(["packages/proctor", "sdk/typescript", "sdk/typescript/term"])(
  "%s/dist holds nothing that removed sources left",
  (built) => {
    expect(staleOutput(join(root, built)), "npm run build").toEqual([]);
  },
);
