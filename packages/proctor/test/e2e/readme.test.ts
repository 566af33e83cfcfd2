// The README, followed to the letter in a fresh folder: its files are saved, its commands run one after the other.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { block, blocks } from "../support/markdown.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = temporaryFolder("readme");

beforeAll(() => {
  // What the install page has the reader install.
  mkdirSync(join(folder, "node_modules/@proctor"), { recursive: true });
  symlinkSync(join(root, "sdk/typescript"), join(folder, "node_modules/@proctor/agent"));
  mkdirSync(join(folder, "bin"));
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(folder, "bin/npx"), npx, { mode: 0o755 });
  writeFileSync(join(folder, "agent.mjs"), block(readme, "js", "// agent.mjs"));
  writeFileSync(join(folder, "agent.py"), block(readme, "python", "# agent.py"));
  writeFileSync(join(folder, "questions.csv"), blocks(readme, "csv")[0] ?? "");
  writeFileSync(join(folder, "suite.yaml"), block(readme, "yaml", "# suite.yaml"));
});

function run(line: string): Promise<{ code: number | null; output: string }> {
  const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}`, HOME: folder, NO_COLOR: "1" };
  const child = spawn("sh", ["-c", line], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, output })));
}

it("every command of the README succeeds, in the order of the README", async () => {
  const lines = blocks(readme, "sh").flatMap((text) => text.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(6);
  const said: string[] = [];
  for (const line of lines) {
    const { code, output } = await run(line);
    expect({ line, code, ...(code !== 0 && { output }) }).toEqual({ line, code: 0 });
    said.push(output);
  }
  expect(said[0]).toMatch(/\nresult\n {2}You can return it within 30 days/);
  expect(existsSync(join(folder, "report.html"))).toBe(true);
});

it("the README shows how to start and how to test a checkout", () => {
  expect(readme).toContain("npm ci && npm start");
  expect(readme).toContain("npm ci && npm test");
});
