// Terminal runs through the engine, in real environments: what everybody sees of them, and what is kept.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EnvironmentKind } from "../../core/environment.ts";
import type { Artifact } from "../../core/artifact.ts";
import { typist } from "../../../test/support/term/agents.ts";
import { openTermHub, type TermHub } from "../../../test/support/term/hub.ts";
import { parseAsciicast } from "../../../test/support/term/parse-asciicast.ts";

const KINDS: EnvironmentKind[] = ["local", "bwrap"];
const ORACLE = { protocol: "term", transport: "builtin", command: ["oracle"] };

describe.each(KINDS)("a terminal run in %s", (kind) => {
  const folder = mkdtempSync(join(tmpdir(), "proctor-term-hub-"));
  let hub: TermHub;
  let missing: string | undefined;

  beforeAll(async () => {
    const opened = await openTermHub(kind, folder);
    if (typeof opened === "string") {
      missing = opened;
      // oxlint-disable-next-line no-console
      console.log(`skipped: terminal runs in ${kind}: ${opened}`);
    } else hub = opened;
  });
  afterAll(async () => {
    if (missing === undefined) await hub.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function content(artifact: Artifact | undefined): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    const sha256 = artifact?.content_hash?.replace("sha256:", "") ?? "";
    for await (const chunk of hub.blobs.read(sha256)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  it("shows its steps as events, and keeps its files, changes, recording and whole outputs", async ({
    skip,
  }) => {
    if (missing !== undefined) return skip(missing);
    const commands = ["echo 'Hello, world!' > hello.txt", "cat hello.txt", "seq 1 20000"];
    const { run, log } = await hub.play(typist(...commands));
    expect(run).toMatchObject({ status: "completed", failure: null, violations: [] });
    expect(run.metrics).toMatchObject({ total_steps: 3, tool_calls: 3 });
    expect(log.filter(({ type }) => type === "environment.opened")).toMatchObject([
      { payload: { kind, role: "terminal", isolated: kind !== "local" } },
    ]);
    const calls = log.flatMap((event) => (event.type === "tool_call" ? [event.payload] : []));
    expect(calls.map(({ input }) => (input as { command: string }).command)).toEqual(commands);
    expect(calls[1]).toMatchObject({ output: { output: "Hello, world!", exit_code: 0 } });
    const byName = new Map(
      run.artifacts.map((one) => [one.type === "structured" ? one.name : one.path, one]),
    );
    // How often the files are kept in between depends on how long the steps take.
    const between = /^terminal\/snapshots\/step-[123]\.tar$/;
    expect([...byName.keys()].filter((name) => !between.test(name)).sort()).toEqual([
      "changes",
      "terminal/output-3.txt",
      "terminal/recording.cast",
      "terminal/snapshots/step-4.tar",
    ]);
    expect((byName.get("changes") as { data?: unknown }).data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(/\/hello\.txt$/) as string, change: "added" }),
      ]),
    );
    const whole = Buffer.from(await content(byName.get("terminal/output-3.txt"))).toString();
    expect(whole).toBe(`${Array.from({ length: 20_000 }, (_, index) => index + 1).join("\n")}\n`);
    const { events } = parseAsciicast(await content(byName.get("terminal/recording.cast")));
    expect(events.map(([, , text]) => text).join("")).toContain("cat hello.txt\r\nHello, world!\r\n");
    expect(byName.get("terminal/snapshots/step-4.tar")).toMatchObject({ step: 4, final: true });
  });

  it("goes on from where another one was after a step", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const script = ["echo one > a", "echo two > b"];
    const first = await hub.play(ORACLE, {
      options: { terminal: { script }, environment: { snapshots: "each" } },
    });
    expect(
      first.run.artifacts.flatMap((one) =>
        one.type === "file" && one.path.includes("snapshots") ? [one.path] : [],
      ),
    ).toEqual(["terminal/snapshots/step-1.tar", "terminal/snapshots/step-2.tar"]);
    const from = { run_id: first.run.id, step: 1 };
    const second = await hub.play(ORACLE, {
      options: { terminal: { script: ["cat a b 2>&1; echo end"] }, environment: { from } },
    });
    const [call] = second.log.flatMap((event) => (event.type === "tool_call" ? [event.payload] : []));
    expect(call?.output).toMatchObject({
      output: expect.stringMatching(/^one\ncat: b: No such file or directory\nend$/) as string,
    });
  });

  it("keeps secrets out of everything that is stored", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const secret = "s3cr3t-value-of-this-test";
    const { run, log } = await hub.play(
      typist(`echo ${secret} > f; echo ${secret}; seq 1 5000; echo ${secret}`),
      { context: { environment: { KEY: secret } } },
    );
    expect(run.status).toBe("completed");
    expect(JSON.stringify([run, log])).not.toContain(secret);
    for (const artifact of run.artifacts) {
      // Data is in the run itself.
      if (artifact.type !== "file") continue;
      const bytes = Buffer.from(await content(artifact));
      expect(bytes.includes(secret), JSON.stringify(artifact)).toBe(false);
    }
    const cast = run.artifacts.find((one) => one.type === "file" && one.path.endsWith(".cast"));
    parseAsciicast(await content(cast));
  });

  it("that runs out of time has the status timeout, and its files are kept", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { run } = await hub.play(typist("echo kept > f", "sleep 60"), {
      // Long enough for the agent to come to its second step on any machine.
      constraints: { timeout_seconds: 5 },
    });
    expect(run).toMatchObject({ status: "timeout", failure: { code: "TIMEOUT" } });
    expect(run.artifacts.map((one) => (one.type === "structured" ? one.name : one.path))).toContain(
      "terminal/snapshots/step-2.tar",
    );
  });

  it("types keystrokes of the legacy format", async ({ skip }) => {
    if (missing !== undefined) return skip(missing);
    const { answering } = await import("../../../test/support/term/agents.ts");
    const { run, log } = await hub.play(
      answering(
        { commands: [{ keystrokes: "echo 'hello' > file.txt; cat file.txt\n", duration: 10 }] },
        { commands: [], task_complete: true },
      ),
    );
    expect(run).toMatchObject({ status: "completed", violations: [] });
    const [call] = log.flatMap((event) => (event.type === "tool_call" ? [event.payload] : []));
    expect(call).toMatchObject({
      output: { exit_code: 0, output: expect.stringMatching(/\nhello\n/) as string },
    });
  });
});
