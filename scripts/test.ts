// `npm test`: everything there is to check, one after another, with one closing line over all of it.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { name: string; status: string; assertionResults: { fullName: string }[] }[];
}

/** The type check is of all there is, so that building checks nothing twice. */
const CHECKS: Record<string, string[]> = {
  "type check": ["tsc", "-p", "tsconfig.json"],
  lint: ["oxlint", "--type-aware", "--deny-warnings"],
  format: ["oxfmt", "--check"],
  build: ["tsc", "--noCheck", "-p", "packages/proctor/tsconfig.build.json"],
  "build of other languages": ["tsx", "scripts/copy-programs.ts"],
  "build of the program": ["tsx", "scripts/bundle.ts"],
  "build of the SDK": ["tsc", "--noCheck", "-p", "sdk/typescript/tsconfig.build.json"],
  "build of the terminal SDK": ["tsc", "--noCheck", "-p", "sdk/typescript/term/tsconfig.build.json"],
  "removal of stale output": ["tsx", "scripts/remove-stale.ts"],
  "schema of suites": ["tsx", "scripts/suite-schema.ts"],
};

const total: Count = { passed: 0, failed: 0, skipped: 0 };

for (const [name, command] of Object.entries(CHECKS)) {
  const startedAt = Date.now();
  const ok = run(command);
  console.log(`${ok ? "✓" : "✗"} ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
  add({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });
}
add(runVitest());

console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

function run([tool = "", ...args]: string[]): boolean {
  // The tools' own scripts run with this Node, so that the suite can be tried on several.
  const { status } = spawnSync(process.execPath, [binOf(tool), ...args], { stdio: "inherit" });
  return status === 0;
}

function binOf(tool: string): string {
  const folder = tool === "tsc" ? "typescript" : tool;
  const manifest = JSON.parse(readFileSync(join("node_modules", folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>;
  };
  const bin = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[tool];
  return join("node_modules", folder, bin ?? "");
}

function runVitest(): Count {
  const folder = mkdtempSync(join(tmpdir(), "proctor-test-"));
  try {
    const file = join(folder, "report.json");
    const ok = run(["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`]);
    // Without a report it died, which is a failure of its own.
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const report = JSON.parse(readFileSync(file, "utf8")) as VitestReport;
    add(checkNames(report));
    const count = countTests(report);
    // A failure that is no test's own (an unhandled rejection, say) still fails the run.
    return !ok && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A name that two tests have tells nobody which of them failed, and `vitest -t` runs both. */
function checkNames({ testResults }: VitestReport): Count {
  const filesOf = new Map<string, string[]>();
  for (const { name: file, assertionResults } of testResults) {
    for (const { fullName } of assertionResults)
      filesOf.set(fullName, [...(filesOf.get(fullName) ?? []), relative(process.cwd(), file)]);
  }
  const twice = [...filesOf].filter(([, files]) => files.length > 1);
  for (const [name, files] of twice)
    console.log(`two tests are called "${name}": ${[...new Set(files)].join(", ")}`);
  console.log(`${twice.length === 0 ? "✓" : "✗"} names of tests`);
  return { passed: twice.length === 0 ? 1 : 0, failed: twice.length === 0 ? 0 : 1, skipped: 0 };
}

function countTests(report: VitestReport): Count {
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

function add(count: Count): void {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}
