// `npm run test:pressure [files…]`: runs the tests that depend on time on a busy machine. Twice as many endless loops as there are
// processors run beside them, so that each test gets about a third of a processor.
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";

/** Test files that wait for processes, sockets and limits, and take little time themselves. */
const FRAGILE = [
  "src/channels/process",
  "src/channels/grpc",
  "src/cli/commands/doctor.test.ts",
  "src/hub/http-hub.test.ts",
  "src/engine/places.test.ts",
  "src/runtime/processes",
  "src/environments/pty",
  "src/environments/shell",
  "src/protocols/term/conform",
  "src/protocols/term/trouble.test.ts",
  "src/suites/checks/examples.test.ts",
  "src/suites/patterns/pattern.test.ts",
  "src/suites/judge",
  "test/e2e/hub-restart.test.ts",
].map((path) => join("packages/proctor", path));

const asked = process.argv.slice(2);
const loops = Array.from({ length: 2 * availableParallelism() }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
process.on("exit", () => loops.forEach((loop) => loop.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(130));

const files = asked.length > 0 ? asked : FRAGILE;
const vitest = join("node_modules", "vitest", "vitest.mjs");
const { status } = spawnSync(process.execPath, [vitest, "run", ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
