import { defineConfig } from "vitest/config";

// End-to-end and browser tests drive the built program, so `npm test` builds before it starts this.
export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "sdk/**/*.test.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Only a hang reaches these, not even a machine ten times slower does.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000, interval: 20 } },
    reporters: ["default"],
  },
});
