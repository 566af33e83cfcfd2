// A scripted A2A agent inside a test's process: the fixture of document 001 for TypeScript, whatever the test runner.
import { composition } from "../cli/compose/compose.ts";
import type { Json } from "../core/json.ts";

type Started = Awaited<ReturnType<typeof composition.openScriptedAgent>>;
type Captured = Started["agent"]["captured"];

/** One request that reached the agent. */
export type CapturedRequest = ReturnType<Captured["list"]>[number];

/** Which requests are meant: those that match every given field. */
export interface CapturedFilter {
  testCaseId?: string;
  /** Operation of the request: `send`, `stream`, `getTask`, … */
  operation?: string;
}

export interface StartScriptedAgentOptions {
  /** Port to listen on; any free one when absent. */
  port?: number;
  /** Path of a script in YAML; without one the agent follows directives and primed turns. */
  script?: string;
  /** Faults of every turn, such as `cut:2` or `status:503*1`. */
  faults?: readonly string[];
  /** Seed of the faults' random choices, which are the same for the same seed. */
  seed?: number;
  /** The card at the root: `main`, `reduced`, `auth` or `extension`. */
  profile?: string;
  /** Patch version that decides which HTTP statuses errors have: `1.0.0` or `1.0.1`. */
  patch?: string;
  /** Names of built-in behaviours: `tck`. */
  packs?: readonly string[];
  /** Refuses requests by answering them, as the guard of an OAuth lab does; the card stays open to all. */
  guard?: (request: Request) => Promise<Response | undefined>;
}

export interface ScriptedAgent extends AsyncDisposable {
  /** Address for A2A, in both versions: `http://127.0.0.1:41200`. */
  readonly url: string;
  /** Every request so far, oldest first. */
  readonly capturedRequests: readonly CapturedRequest[];
  /** Resolves with the requests as soon as there are `count` of them; rejects when they do not come in time, by default 10 seconds. */
  waitForRequests(
    count: number,
    options?: CapturedFilter & { timeoutMs?: number },
  ): Promise<CapturedRequest[]>;
  /** Returns the requests that match; throws, and lists what arrived, unless there are exactly `count` of them. */
  expectRequests(count: number, filter?: CapturedFilter): CapturedRequest[];
  clearCapturedRequests(testCaseId?: string): void;
  /** Forgets tasks, sequences and counts, of one test case or of all. */
  clearState(testCaseId?: string): void;
  /** The next task, or those of a test case, get these turns: a list of lists of events, as `responses_json` has them. */
  prime(turns: readonly (readonly object[])[], testCaseId?: string): void;
  /** Replaces the faults of every turn. */
  setFaults(faults: readonly string[]): void;
  /** Stops time: delays of scripts end only by `advance`. */
  stopClock(): void;
  advance(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const WAIT_MS = 10_000;

/** Throws when the script is wrong, or the port is taken. */
export async function startScriptedAgent(options: StartScriptedAgentOptions = {}): Promise<ScriptedAgent> {
  const started = await composition.openScriptedAgent({ ...options, env: process.env });
  const { url, agent, readFaults } = started;
  const { captured } = agent;
  return {
    url,
    get capturedRequests() {
      return captured.list();
    },
    waitForRequests: (count, { timeoutMs = WAIT_MS, ...filter } = {}) =>
      captured.wait(count, filter, AbortSignal.timeout(timeoutMs)),
    expectRequests(count, filter = {}) {
      const found = captured.list(filter);
      if (found.length === count) return found;
      const seen = captured
        .list()
        .map(({ operation, method, path, test_case_id: id }) =>
          `  ${operation ?? `${method} ${path}`} ${id ?? ""}`.trimEnd(),
        );
      throw new Error(
        [
          `${found.length} requests instead of ${count}; the agent got`,
          ...(seen.length === 0 ? ["  nothing"] : seen),
        ].join("\n"),
      );
    },
    clearCapturedRequests: (testCaseId) => captured.clear(testCaseId === undefined ? {} : { testCaseId }),
    clearState: (testCaseId) => agent.clearState(testCaseId),
    // A text that is not JSON is refused when it is read.
    prime: (turns, testCaseId) => agent.prime(JSON.parse(JSON.stringify(turns)) as Json, testCaseId),
    setFaults: (faults) => agent.setFaults(readFaults(faults)),
    stopClock: () => agent.clock.stop(),
    advance: (ms) => agent.clock.advance(ms),
    stop: () => started.close(),
    [Symbol.asyncDispose]: () => started.close(),
  };
}
