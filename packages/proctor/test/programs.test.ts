// Programs in other languages among the sources: each can be read by its language, and the built package holds the same bytes.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const programs = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" }).filter((path) =>
  /\.(?:py|sh|cjs)$/.test(path),
);

/** Compiles without writing anything beside the sources. */
const COMPILE = "import sys; compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec')";
const CHECKS: Record<string, readonly string[]> = {
  py: ["python3", "-c", COMPILE],
  sh: ["bash", "-n"],
  cjs: [process.execPath, "--check"],
};

describe("a program in another language", () => {
  it("exists", () => {
    expect(programs.length).toBeGreaterThan(10);
  });

  it.for(programs)("is valid in its language: %s", (path, { skip }) => {
    const [tool = "", ...args] = CHECKS[path.replace(/^.*\./, "")] ?? [];
    const { error, status, stderr } = spawnSync(tool, [...args, join(folder, "src", path)], {
      encoding: "utf8",
    });
    if (error !== undefined) skip(`there is no ${tool} here`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(programs)("is in the built package as it is in the sources: %s", (path) => {
    const [source, built] = ["src", "dist"].map((part) => readFileSync(join(folder, part, path), "utf8"));
    expect(built, "npm run build").toBe(source);
  });
});
