// The package as npm makes it, installed in an empty folder without a network: what users get is what is tested.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const folder = temporaryFolder("package");
const user = join(folder, "user");

interface Packed {
  filename: string;
  files: { path: string }[];
}

let packed: Packed;

beforeAll(async () => {
  // A copy of the checkout: packing puts documents into the package's folder for as long as it takes.
  for (const part of ["LICENSE", "README.md", "docs", "scripts/pack.mjs"]) {
    cpSync(join(root, part), copied(part), { recursive: true });
  }
  for (const part of ["package.json", "bin", "dist", "suite.schema.json"]) {
    cpSync(join(root, "packages/proctor", part), copied(join("packages/proctor", part)), { recursive: true });
  }
  const place = join(folder, "checkout/packages/proctor");
  const { stdout } = await execute(
    "npm",
    ["pack", "--json", "--offline", "--pack-destination", folder],
    place,
  );
  [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as [Packed];
  await install();
});

function copied(part: string): string {
  const target = join(folder, "checkout", part);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}

/** As npm would, except that dependencies are those of the checkout. */
async function install(): Promise<void> {
  const modules = join(user, "node_modules");
  mkdirSync(modules, { recursive: true });
  await execute("tar", ["-xzf", join(folder, packed.filename), "-C", modules], user);
  await execute("mv", ["package", "proctor"], modules);
  const { dependencies } = JSON.parse(readFileSync(join(modules, "proctor/package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
}

function execute(file: string, args: readonly string[], cwd: string) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    const env = { PATH: process.env["PATH"], HOME: folder, NO_COLOR: "1" };
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const written = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (written.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (written.stderr += chunk.toString()));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...written }));
  });
}

const proctor = (...args: string[]) =>
  execute(process.execPath, [join(user, "node_modules/proctor/bin/proctor.js"), ...args], user);

describe("the package that npm makes", () => {
  it("holds the program, its types, the schema of suites and the documentation, and no sources or tests", () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "package.json",
        "suite.schema.json",
        "bin/proctor.js",
        "dist/cli/start.js",
        "dist/testing/index.d.ts",
        "docs/reference/checks.md",
        "docs/guides/first-agent.md",
      ]),
    );
    expect(paths.filter((path) => /^(?:src|test)\/|\.(?:test|case)\.|(?<!\.d)\.ts$/.test(path))).toEqual([]);
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/proctor/package.json"), "utf8")) as {
      version: string;
    };
    expect(await proctor("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("validates a suite", async () => {
    const agent = "agents: [{ name: a, protocol: atp, transport: stdio, command: [node, a.mjs] }]";
    const test =
      "tests: [{ id: t, name: t, task: { description: x }, checks: [{ type: contains, config: { pattern: x } }] }]";
    writeFileSync(join(user, "suite.yaml"), `test_suite: s\n${agent}\n${test}\n`);
    expect(await proctor("validate", "suite.yaml")).toMatchObject({ code: 0, stderr: "" });
  });

  it("prints the pages of its documentation, and suggests one where a name is misspelt", async () => {
    const list = await proctor("docs");
    expect(list).toMatchObject({ code: 0, stderr: "" });
    expect(list.stdout).toMatch(/^checks +reference +\S/m);
    const page = await proctor("docs", "checks");
    expect(page.stdout.trimEnd()).toBe(
      readFileSync(join(root, "docs/reference/checks.md"), "utf8").trimEnd(),
    );
    const wrong = await proctor("docs", "chekcs");
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("did you mean checks?") });
  });

  it("is imported by programs as proctor and proctor/testing", async () => {
    writeFileSync(
      join(user, "program.mjs"),
      `import { defineSuite } from "proctor";\nimport { proctor } from "proctor/testing";\nconsole.log(typeof defineSuite, typeof proctor.run);\n`,
    );
    expect(await execute(process.execPath, ["program.mjs"], user)).toMatchObject({
      code: 0,
      stdout: "function function\n",
    });
  });
});
