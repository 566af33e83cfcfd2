// A pool of sandboxes for the tests of one file, and how they ask it. Scripts that need their whole time get little of it.
import { expect } from "vitest";
import type { Json } from "../../src/core/json.ts";
import { createSandboxPool, type Sandbox } from "../../src/script-tools/sandbox/sandbox-pool.ts";
import type { SandboxAnswer, SandboxJob } from "../../src/script-tools/sandbox/sandbox-worker.ts";

/** CPU milliseconds that no script of these tests needs, unless it never ends. */
export const PLENTY_MS = 60_000;
/** CPU milliseconds of a script that never ends. */
export const SOON_MS = 50;
export const MB: number = 1024 * 1024;

type More = [input?: Json, job?: Partial<SandboxJob>, timeMs?: number];

export interface TestSandbox extends Sandbox {
  runScript: (source: string, ...more: More) => Promise<SandboxAnswer>;
  /** Throws where the script fails. */
  output: (source: string, input?: Json) => Promise<Json>;
  failure: (source: string, ...more: More) => Promise<string | { code: string; message: string }>;
  /** The pool works as before, and nothing of an earlier script is left. */
  expectUnharmed: () => Promise<void>;
}

/** Whoever opens it closes it. */
export function openTestSandbox(): TestSandbox {
  const pool = createSandboxPool();
  const { signal } = new AbortController();

  function runScript(
    source: string,
    ...[input = {}, job = {}, timeMs = PLENTY_MS]: More
  ): Promise<SandboxAnswer> {
    const whole = { source, input: JSON.stringify(input), memoryBytes: 32 * MB, outputBytes: MB, ...job };
    return pool.run(whole, timeMs, signal);
  }

  async function output(source: string, input?: Json): Promise<Json> {
    const answered = await runScript(source, input);
    if (!answered.ok) throw new Error(`${answered.code}: ${answered.message}`);
    return JSON.parse(answered.output) as Json;
  }

  return {
    ...pool,
    runScript,
    output,
    async failure(source, ...more) {
      const answered = await runScript(source, ...more);
      return answered.ok
        ? `succeeded with ${answered.output.slice(0, 100)}`
        : { code: answered.code, message: answered.message };
    },
    async expectUnharmed() {
      expect(await output("function run(input) { return [input, typeof left, [].left] }", 1)).toEqual([
        1,
        "undefined",
        null,
      ]);
    },
  };
}
