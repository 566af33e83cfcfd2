import { defineConfig } from "vitest/config";
import { BUILT_FILES, builtSources, USES_BUILT } from "./packages/proctor/test/support/built-sources.ts";
import { openMemoryFolder } from "./packages/proctor/test/support/memory-folder.ts";

/** Files that look at their whole process (its memory, descriptors, handles or signals), or change it: each has one of its own. */
const APART = [
  "sdk/**/*",
  ...[
    "src/channels/{grpc,http}/client",
    "src/channels/process/*",
    "src/engine/client-runs",
    "src/environments/agent-mounts",
    "src/environments/bwrap/nothing-left",
    "src/environments/pty/*",
    "src/environments/shell/*",
    "src/protocols/term/trouble",
    "src/runtime/processes/*",
    "src/stores/blobs/*",
    "src/suites/reporters/console/*",
    "test/e2e/hostile-{agents,masses}",
    "test/wire-limits",
  ].map((files) => `packages/proctor/${files}`),
].map((files) => `${files}.test.ts`);

/** Files that drive programs: they share a worker, but no folder in memory, which is a device that no environment shows. */
const PROGRAMS = ["packages/proctor/{src/cli/actions/mock,src/testing,test/e2e}/*.test.ts"];

/** What all kinds have in common. Only a hang reaches these limits; a machine ten times slower does not. */
const COMMON = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 180_000, interval: 20 } },
  setupFiles: ["packages/proctor/test/support/set-up.ts"],
  // Processes: libraries with native parts do not always survive the end of a thread.
  pool: "forks" as const,
  server: { deps: { external: [BUILT_FILES] } },
};

const plugins = USES_BUILT ? [builtSources()] : [];

const memory = openMemoryFolder();

// End-to-end and browser tests drive the built program, so `npm test` builds before it starts this.
export default defineConfig({
  test: {
    // More than the two cores it is meant for: end-to-end tests wait for processes a part of their time.
    maxWorkers: 5,
    reporters: ["default"],
    globalSetup: [
      "packages/proctor/test/support/skip-certificates.ts",
      "packages/proctor/test/support/skip-shims.ts",
      "packages/proctor/test/support/share-environments.ts",
      "packages/proctor/test/support/share-programs.ts",
      "packages/proctor/test/support/share-postgres.ts",
    ],
    projects: [
      {
        plugins,
        test: { ...COMMON, name: "apart", include: APART, exclude: ["**/node_modules/**"] },
      },
      {
        plugins,
        test: {
          ...COMMON,
          name: "programs",
          include: PROGRAMS,
          exclude: ["**/node_modules/**", ...APART],
          isolate: false,
        },
      },
      {
        // A worker takes file after file and loads what they have in common once, which is half of what most of them cost.
        plugins,
        test: {
          ...COMMON,
          name: "shared",
          include: ["packages/*/{src,test}/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...APART, ...PROGRAMS],
          isolate: false,
          env: memory === undefined ? {} : { TMPDIR: memory },
        },
      },
    ],
  },
});
