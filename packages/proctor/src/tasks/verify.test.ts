// The verifier, in an environment that does as it is told: what is cleared, copied and judged, in which order.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
  Environment,
  EnvironmentCommand,
  Environments,
  OpenEnvironment,
} from "../core/ports/environments.ts";
import { MISSING_WORDS } from "../core/missing-packages.ts";
import type { Verification, VerifyRequest } from "../core/ports/verify.ts";
import { createVerify } from "./verify.ts";

interface Played {
  code?: number;
  stdout?: string;
  timedOut?: boolean;
  /** The agent's environment, where it is still open. */
  terminal?: Environment;
  /** Files that the tests leave in /logs/verifier. */
  logs?: Readonly<Record<string, string>>;
}

const KEPT = [] as unknown as AsyncIterable<Uint8Array>;

interface Place {
  opened: OpenEnvironment[];
  commands: (readonly string[])[];
  destroyed: number;
}

async function verify(
  played: Played,
  request: Partial<VerifyRequest> = {},
): Promise<{ done: Verification; place: Place }> {
  const place: Place = { opened: [], commands: [], destroyed: 0 };
  async function run({ command }: EnvironmentCommand) {
    place.commands.push(command);
    const isTest = command.includes("/tests/test.sh");
    const { code = 0, stdout = "", timedOut = false } = isTest ? played : {};
    return { code, stdout, stderr: "", truncated: false, timedOut, durationMs: 5 };
  }
  // Only what a verifier needs.
  const environment = {
    facts: { notes: ["a note"] },
    run,
    copyOut: async (_: string, folder: string) => {
      for (const [name, text] of Object.entries(played.logs ?? {})) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return { files: 0, bytes: 0, leftOut: [] };
    },
    destroy: async () => void (place.destroyed += 1),
  } as unknown as Environment;
  const environments = {
    find: (id: string) => (id === "r-terminal" ? played.terminal : undefined),
    open: async (opened: OpenEnvironment) => {
      place.opened.push(opened);
      return environment;
    },
  } as unknown as Environments;
  const done = await createVerify(environments, async () => KEPT)(
    {
      runId: "r",
      environment: {
        build: "/b",
        user: "agent",
        files: [{ source: "/s", target: "/solution" }],
        snapshots: "each",
      },
      snapshot: "kept",
      system: "restored",
      files: [{ source: "/t", target: "/tests" }],
      command: ["bash", "/tests/test.sh"],
      env: {},
      timeoutMs: 1000,
      reward: "files",
      ...request,
    },
    new AbortController().signal,
  );
  return { done, place };
}

describe("the verifier", () => {
  it("opens a fresh environment over the same files, without what only the agent had", async () => {
    const { place } = await verify({ logs: { "reward.txt": "1" } });
    expect(place.opened).toMatchObject([{ role: "verifier", toolchain: true, options: { build: "/b" } }]);
    expect(place.opened[0]?.options.files).toEqual([{ source: "/t", target: "/tests" }]);
    expect(place.opened[0]?.options).not.toHaveProperty("user");
    expect(place.destroyed).toBe(1);
  });

  it("clears everything that stands in its own places", async () => {
    const { place } = await verify({ logs: { "reward.txt": "1" } });
    expect(place.opened[0]?.without).toEqual(["/logs/verifier", "/solution", "/oracle", "/tests"]);
    expect(place.commands[0]?.[2]).toContain("rm -rf /logs/verifier");
  });

  it("prepares its directories as root where another user judges", async () => {
    const { place } = await verify({ logs: { "reward.txt": "1" } }, { user: "judge" });
    expect(place.opened[0]?.options.user).toBe("judge");
    expect(place.commands).toHaveLength(2);
    expect(place.commands[1]).toEqual(["bash", "/tests/test.sh"]);
  });

  it("gives the reward, and what the tests wrote and printed", async () => {
    const { done } = await verify({ logs: { "reward.txt": "1", "deep/ctrf.json": "{}" }, stdout: "fine" });
    expect(done).toMatchObject({ rewards: { reward: 1 }, output: "fine", exitCode: 0, notes: ["a note"] });
    expect(Object.keys(done.files).toSorted()).toEqual([join("deep", "ctrf.json"), "reward.txt"]);
  });

  it("joins the network of the agent's terminal where that is still open", async () => {
    const terminal = {} as Environment;
    const { place } = await verify({ terminal, logs: { "reward.txt": "1" } });
    expect(place.opened[0]?.network).toBe(terminal);
    expect((await verify({ logs: { "reward.txt": "1" } })).place.opened[0]).not.toHaveProperty("network");
  });

  it("judges the agent's files themselves where they are still there, and otherwise their snapshot", async () => {
    const terminal = {} as Environment;
    const { place } = await verify({ terminal, logs: { "reward.txt": "1" } });
    expect(place.opened[0]).toMatchObject({ over: terminal, restoreSystem: true });
    expect(place.opened[0]).not.toHaveProperty("restore");
    const { place: kept } = await verify({ logs: { "reward.txt": "1" } }, { system: "as-left" });
    expect(kept.opened[0]).toMatchObject({ restore: KEPT, restoreSystem: false });
  });

  it("says that nothing is left where there are neither files nor a snapshot", async () => {
    const { done, place } = await verify({}, { snapshot: undefined } as object);
    expect(done).toMatchObject({
      rewards: null,
      reason: expect.stringContaining("nothing is left to judge"),
    });
    expect(place.opened).toEqual([]);
  });

  it("removes the run's secrets from what it returns", async () => {
    const redact = (content: Uint8Array): Uint8Array =>
      Buffer.from(Buffer.from(content).toString().replaceAll("hunter2", "[hidden]"));
    const { done } = await verify({
      terminal: { redact } as unknown as Environment,
      stdout: "key hunter2",
      logs: { "reward.txt": "1", "log.txt": "hunter2" },
    });
    expect(done).toMatchObject({ output: "key [hidden]", rewards: { reward: 1 } });
    expect(Buffer.from(done.files["log.txt"] ?? []).toString()).toBe("[hidden]");
  });

  it("names the limit that ended the tests", async () => {
    const { done } = await verify({ timedOut: true, logs: { "reward.txt": "1" } });
    expect(done).toMatchObject({ rewards: null, timedOut: true });
    expect(done.reason).toContain("limit: verifier");
  });

  const LACKS = `proctor: rdflib==7.1.4 ${MISSING_WORDS} (pip)\nproctor: expect ${MISSING_WORDS} (apt)\n`;

  it("gives no reward when failed tests lacked a package, whatever they printed", async () => {
    const { done } = await verify({
      stdout: "===== 1 failed, 2 passed in 0.1s =====\n",
      logs: { "reward.txt": "0", "missing.txt": LACKS },
    });
    expect(done.rewards).toBeNull();
    expect(done.reason).toBe(
      "the tests need rdflib==7.1.4 (pip), expect (apt), which this machine does not have: run with --network host, or install here: pip install rdflib==7.1.4; apt-get install expect",
    );
  });

  it("keeps the reward of tests that passed although they lacked a package", async () => {
    const { done } = await verify({ logs: { "reward.txt": "1", "missing.txt": LACKS } });
    expect(done.rewards).toEqual({ reward: 1 });
  });

  it("does not believe output about missing packages, which the agent's programs may have written", async () => {
    const { done } = await verify({ stdout: LACKS, logs: { "reward.txt": "0" } });
    expect(done.rewards).toEqual({ reward: 0 });
  });
});
