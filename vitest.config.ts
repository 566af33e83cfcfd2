import { defineConfig } from "vitest/config";

/** Tests that change nothing that is global to a process: they share one, and what it has loaded. */
const SHARED = [
  "agents/**/*",
  "channels/{lines,sse}/**/*",
  "cli/terminal/**/*",
  "core/**/*",
  "llm/**/*",
  "protocols/agent-protocol/surfaces/shared/**/*",
  "protocols/atp/!(document-run)",
  "runtime/yaml/**/*",
  "suites/**/*",
  "tasks/**/*",
  "telemetry/**/*",
].map((files) => `packages/proctor/src/${files}.test.ts`);

// Only a hang reaches these limits; a machine ten times slower does not.
const LIMITS = {
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 180_000, interval: 20 } },
};

// End-to-end and browser tests drive the built program, so `npm test` builds before it starts this.
export default defineConfig({
  test: {
    // More than the two cores it is meant for: end-to-end tests wait for processes a part of their time.
    maxWorkers: 3,
    reporters: ["default"],
    projects: [
      {
        test: {
          ...LIMITS,
          name: "shared",
          include: SHARED,
          pool: "threads",
          isolate: false,
        },
      },
      {
        test: {
          ...LIMITS,
          name: "apart",
          include: ["packages/*/{src,test}/**/*.test.ts", "sdk/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...SHARED],
          pool: "forks",
        },
      },
    ],
  },
});
