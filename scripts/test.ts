// `npm test`: runs all checks and tests, and ends with one line for all of them. The checks that need no build run beside the build and the
// tests, which spend a part of their time waiting for processes.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { isBuilt } from "./is-built.ts";
import { countTests, sharedNames, type Count, type VitestReport } from "./test-report.ts";

const GENERATE: Record<string, string[]> = { "generated sources": ["tsx", "scripts/generate.ts"] };

/**
 * The type check covers everything, so that the build need not check again. It is single-threaded, because beside the tests several threads
 * are not faster, and each would check the shared types again.
 */
const CHECKS: Record<string, string[]> = {
  "type check": ["tsc", "--singleThreaded", "-p", "tsconfig.json"],
  "type check of the dashboard": ["tsc", "-p", "packages/dashboard/tsconfig.json"],
  lint: ["oxlint", "--type-aware", "--deny-warnings"],
  format: ["oxfmt", "--check"],
};

const BUILD: Record<string, string[]> = {
  build: ["tsc", "--noCheck", "-p", "packages/proctor/tsconfig.build.json"],
  "build of other languages": ["tsx", "scripts/copy-programs.ts"],
  "build of the program": ["tsx", "scripts/bundle.ts"],
  "compiled code of the program": ["tsx", "scripts/keep-code.ts"],
  "build of the SDK": ["tsc", "--noCheck", "-p", "sdk/typescript/tsconfig.build.json"],
  "build of the terminal SDK": ["tsc", "--noCheck", "-p", "sdk/typescript/term/tsconfig.build.json"],
  "build of the dashboard": ["tsx", "scripts/build-dashboard.ts"],
  "build of the report": ["tsx", "scripts/build-report.ts"],
  "removal of stale output": ["tsx", "scripts/remove-stale.ts"],
  "schema of suites": ["tsx", "scripts/suite-schema.ts"],
};

/** The tests run on the built files, which Node loads as they are. vitest would have to translate every module of the sources first. */
const TEST_ENV = { ...process.env, PROCTOR_TEST_BUILT: "1" };

/** Most memory of TypeScript and the linter is used until they end, so they collect garbage only where they would take too much. */
const STEP_ENV = { ...process.env, GOGC: "off", GOMEMLIMIT: "4GiB" };

const total: Count = { passed: 0, failed: 0, skipped: 0 };

const built = isBuilt();
await runAll(GENERATE);
const checks = runAll(CHECKS, constants.priority.PRIORITY_LOW);
// After a fresh `npm install` everything has just been built.
if (!built) await runAll(BUILD);
await runVitest();
await checks;

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

/**
 * Runs steps one after another. The output of each is printed in one piece when it ends. With a low priority they take the time in which tests
 * wait, and no other.
 */
async function runAll(steps: Record<string, string[]>, priority?: number): Promise<void> {
  for (const [name, command] of Object.entries(steps)) {
    const startedAt = Date.now();
    let printed = "";
    const ok = await run(command, (text) => (printed += text), priority);
    addCheck(`${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`, ok, printed);
  }
}

async function runVitest(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-test-"));
  try {
    const file = join(folder, "report.json");
    const ok = await run([
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ]);
    // vitest crashed before it wrote a report, which counts as one failure.
    if (!existsSync(file)) return add({ passed: 0, failed: 1, skipped: 0 });
    const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
    const twice = sharedNames(report);
    addCheck("names of tests", twice.length === 0, twice.join("\n"));
    const count = countTests(report);
    // A failure outside of any test, such as an unhandled rejection, still fails the run.
    add(!ok && count.failed === 0 ? { ...count, failed: 1 } : count);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a tool and resolves with whether it succeeded. Without `take`, its output goes to the terminal as it is printed. */
function run(
  [tool = "", ...args]: string[],
  take?: (text: string) => void,
  priority?: number,
): Promise<boolean> {
  // The scripts of the tools run with this Node, so that the suite can be run on several versions.
  const child = spawn(process.execPath, [binOf(tool), ...args], {
    env: take === undefined ? TEST_ENV : STEP_ENV,
    stdio: ["ignore", ...outputs(take)],
  });
  // Whatever it starts has it, too.
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => take?.(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => take?.(text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code === 0));
  });
}

function outputs(take: unknown): ["pipe", "pipe"] | ["inherit", "inherit"] {
  return take === undefined ? ["inherit", "inherit"] : ["pipe", "pipe"];
}

function binOf(tool: string): string {
  const folder = tool === "tsc" ? "typescript" : tool;
  const manifest = JSON.parse(readFileSync(join("node_modules", folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[tool];
  return join("node_modules", folder, bin ?? "");
}

function addCheck(name: string, ok: boolean, printed: string): void {
  if (printed.trim() !== "" && !ok) console.log(printed.trimEnd());
  console.log(`${ok ? "✓" : "✗"} ${name}`);
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
