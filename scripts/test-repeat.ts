// `npm run test:repeat -- 50 files…`: runs test files again and again, and says how often each passed. Not part of `npm test`.
import { relative } from "node:path";
import { createVitest, type TestModule } from "vitest/node";

const [times = "", ...filters] = process.argv.slice(2);
const rounds = Number(times);
if (!Number.isInteger(rounds) || rounds < 1 || filters.length === 0) {
  console.error("usage: npm run test:repeat -- <times> <files or folders…>");
  process.exit(2);
}

const passed = new Map<string, number>();
let unhandled = 0;

const vitest = await createVitest("test", { watch: false, reporters: [{}] });
try {
  const specifications = await vitest.globTestSpecifications(filters);
  if (specifications.length === 0) throw new Error(`no test file matches ${filters.join(" ")}`);
  await vitest.standalone();
  for (let round = 1; round <= rounds; round++) {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
    unhandled += unhandledErrors.length;
    for (const error of unhandledErrors) console.log(`round ${round}: outside of any test:`, error);
    for (const module of testModules) count(module, round);
    console.log(
      `round ${round} of ${rounds}: ${testModules.filter((module) => module.ok()).length} of ${testModules.length} files passed`,
    );
  }
} finally {
  await vitest.close();
}

for (const [file, count] of [...passed].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${count} of ${rounds}  ${file}`);
const steady = [...passed.values()].every((count) => count === rounds) && unhandled === 0;
process.exit(steady ? 0 : 1);

function count(module: TestModule, round: number): void {
  const file = relative(process.cwd(), module.moduleId);
  passed.set(file, (passed.get(file) ?? 0) + (module.ok() ? 1 : 0));
  for (const error of module.errors()) console.log(`round ${round}: ${file}: ${error.message}`);
  for (const test of module.children.allTests("failed")) {
    const errors = test.result().errors ?? [];
    console.log(
      `round ${round}: ${file}: ${test.fullName}\n${errors.map(({ stack, message }) => stack ?? message).join("\n")}`,
    );
  }
}
