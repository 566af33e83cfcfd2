// Derives the layering from the sources and compares it with the table, so that muting the linter changes nothing.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { lintConfig } from "../../../scripts/lint-config.ts";
import layers from "../../../scripts/layers.json" with { type: "json" };

const root = fileURLToPath(new URL("../../..", import.meta.url));
const source = join(root, "packages/proctor/src");
const table: Record<string, string[]> = layers;

const files = listSources();

/** The only folder that may name concrete parts. */
const COMPOSERS = "cli/compose/";

describe("architecture", () => {
  it("lets each folder import only what the table allows", () => {
    const broken = files.flatMap((file) => importsOf(file).flatMap((target) => check(file, target)));
    expect(broken).toEqual([]);
  });

  it("keeps core free of Node built-ins and packages", () => {
    const impure = files
      .filter((file) => file.startsWith("core/"))
      .flatMap((file) =>
        specifiersOf(file)
          .filter((specifier) => !specifier.startsWith("."))
          .map((specifier) => `${file} imports ${specifier}`),
      );
    expect(impure).toEqual([]);
  });

  it("keeps one protocol from importing another", () => {
    const crossed = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => protocolOf(file) && protocolOf(target) && protocolOf(file) !== protocolOf(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(crossed).toEqual([]);
  });

  it("knows every folder of the tree", () => {
    const folders = new Set(files.filter((file) => file.includes("/")).map((file) => file.split("/")[0]));
    for (const folder of folders) expect(Object.keys(table)).toContain(folder);
    expect(files.filter((file) => /(^|\/)(utils?|helpers?)(\/|\.)/.test(file))).toEqual([]);
  });

  it("draws the way of a run through files that exist, twenty at most in each direction", () => {
    const drawing = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")
      .split("## From the keyboard to the disk")[1]
      ?.split("```")[1];
    const ways = (drawing ?? "").trim().split("\n\n");
    expect(ways).toHaveLength(2);
    for (const way of ways) {
      const stations = way
        .replace(/^\w+/, "")
        .split("▸")
        .map((text) => /^\s*(\S+)/.exec(text)?.[1] ?? "");
      const missing = stations.filter((name) => name !== "bin/proctor" && !isFile(name));
      expect({ missing, count: Math.min(stations.length, 20) }).toEqual({
        missing: [],
        count: stations.length,
      });
    }
  });

  it("keeps the dashboard to the public API: it imports no source of the hub", () => {
    const pages = join(root, "packages/dashboard/src");
    const imports = readdirSync(pages, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => specifiersOf(relative(source, join(pages, file))).map((target) => [file, target]));
    expect(imports.length).toBeGreaterThan(100);
    const leaving = imports.filter(([file = "", target = ""]) =>
      target.startsWith(".")
        ? relative(pages, join(pages, dirname(file), target)).startsWith("..")
        : /^(?:node:|proctor\b)/.test(target),
    );
    expect(leaving).toEqual([]);
  });

  it("is what the linter enforces", () => {
    const written: unknown = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8"));
    expect(written, "run: node --import tsx scripts/lint-config.ts").toEqual(lintConfig());
  });

  it("sees a forbidden import when there is one", () => {
    expect(check("core/run.ts", "engine/engine.ts")).toHaveLength(1);
    expect(check("suites/plan.ts", "protocols/atp/codec.ts")).toHaveLength(1);
    expect(check("suites/plan.ts", "protocols/protocol.ts")).toHaveLength(0);
    expect(check("cli/compose/serve.ts", "stores/sqlite/open-store.ts")).toHaveLength(0);
  });
});

/** Whether a file of the sources has this name, or ends in this path. */
function isFile(name: string): boolean {
  return files.some((file) => `/${file}`.endsWith(`/${name}.ts`));
}

function listSources(): string[] {
  return readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !/\.(test|case)\.ts$/.test(file));
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(source, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\b(?:[^"';=]*?\bfrom)?\s+["']([^"']+)["']/gm);
  const calls = text.matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [...statements, ...calls].map((match) => match[1] ?? "");
}

/** Imported files of ours, relative to the source folder. */
function importsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) =>
      relative(source, join(source, dirname(file), specifier))
        .split(sep)
        .join("/"),
    );
}

function check(file: string, target: string): string[] {
  if (file.startsWith(COMPOSERS)) return [];
  const from = layerOf(file);
  const to = layerOf(target);
  if (from === to) return [];
  const allowed = table[from] ?? [];
  if (allowed.some((entry) => entry === to || target === `${entry}.ts`)) return [];
  return [`${file} imports ${target}: ${from}/ may import ${allowed.join(", ") || "nothing"}`];
}

function layerOf(file: string): string {
  return file.split("/")[0] ?? "";
}

function protocolOf(file: string): string | undefined {
  const [layer, protocol, inner] = file.split("/");
  return layer === "protocols" && inner !== undefined ? protocol : undefined;
}
