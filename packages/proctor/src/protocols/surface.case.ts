// What every surface promises, whatever the protocol and the transport: one suite, run through the built hub. A case that a surface
// cannot express is skipped with its reason; the reasons are a table in README.md.
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHubProcess, type HubProcess } from "../../test/support/hub-process.ts";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import type { ScriptedSession } from "../../test/support/scripted-driver.ts";
import { openAskingHub, type AskingHub } from "../../test/support/surfaces/asking-hub.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";

export const SURFACE_CASES = {
  run: "runs a task, and its result is read",
  cancel: "cancels a task on request",
  "unknown agent": "refuses a task for an agent that does not exist",
  "bad body": "refuses a body that is not JSON",
  "too large": "refuses a body above the limit",
  nesting: "refuses a body that is nested too deeply",
  "media type": "refuses a body of another media type",
  method: "refuses another method",
  path: "refuses a path that does not exist",
  reconnect: "continues after the last event that the client has",
  secrets: "shows no secret that the agent repeats",
  "question denied": "denies an action that no client can be asked about, and the task goes on",
  "question unanswered": "ends a task whose agent needs input that no client can be asked for",
  "question answered": "shows a question of the agent, and brings it the answer",
  "question secrets": "shows no secret that a question of the agent repeats",
  close: "lets its clients go when the hub stops",
} as const;

export type SurfaceCase = keyof typeof SURFACE_CASES;

/** The mistakes that a client can make, each with the code of the refusal. */
const REFUSALS = {
  "unknown agent": /^AGENT_NOT_FOUND$/,
  "bad body": /^INVALID_REQUEST$/,
  "too large": /^PAYLOAD_TOO_LARGE$/,
  nesting: /^INVALID_REQUEST$/,
  "media type": /^UNSUPPORTED_MEDIA_TYPE$/,
  method: /^METHOD_NOT_ALLOWED$/,
  path: /^NOT_FOUND$/,
} as const;

export type Mistake = keyof typeof REFUSALS;

export interface Address {
  url: string;
  grpcUrl: string;
}

/** A task that a client has given, and watches. */
export interface WatchedTask {
  /** How the task ended, in the words of a run; undefined when the connection ended before that. */
  ended: Promise<string | undefined>;
  /** Everything that was received, as text. */
  received(): string;
  /** Resolves when the client knows that the agent works. */
  working: Promise<void>;
  cancel(): Promise<void>;
}

/** A task whose client can be asked. */
export interface AskedTask extends WatchedTask {
  /** The text of the first question, when the client is shown it. */
  question: Promise<string>;
  /** Answers the question, and goes on watching. */
  reply(text: string): void;
}

export interface SurfaceClient {
  name: string;
  skips: Partial<Record<SurfaceCase, string>>;
  give(hub: Address, agent: string, description: string): WatchedTask;
  /** Gives a task and can be asked; absent where the protocol has no questions, and then `give` must come to an end all the same. */
  giveAndListen?(hub: Address, agent: string, description: string): AskedTask;
  /** Makes this mistake, and resolves with the code of the refusal. */
  mistake(hub: Address, mistake: Mistake): Promise<string>;
  /** Does a task to its end, comes back after its second event, and resolves with the numbers of the events it is told then. */
  comeBack?(hub: Address, agent: string): Promise<number[]>;
}

const SECRET = "s3cret-of-the-worker";

/** Reports three tool calls and answers; hangs after them when told to. One of them holds a secret. */
const AGENT = `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { task_id, task } = JSON.parse(text);
for (let sequence = 0; sequence < 3; sequence++) {
  const payload = { tool: "look", input: { key: process.env.API_KEY }, output: { sequence }, status: "success" };
  const timestamp = new Date().toISOString();
  console.error(JSON.stringify({ version: "1.0", task_id, timestamp, sequence, event_type: "tool_call", payload }));
}
if (task.description === "hang") setInterval(() => {}, 1000);
else {
  const artifacts = [{ type: "structured", name: "result", data: { output: "done: " + process.env.API_KEY } }];
  console.log(JSON.stringify({ version: "1.0", task_id, status: "completed", artifacts, metrics: { total_steps: 3 } }));
}
`;

/** The tests with the names of the cases; those that a surface cannot express are skipped. */
type CaseOf = (name: SurfaceCase, body: () => Promise<void>) => void;

const caseOf =
  (client: SurfaceClient): CaseOf =>
  (name, body) =>
    it.skipIf(client.skips[name] !== undefined)(SURFACE_CASES[name], body);

/** One hub has all of these surfaces, and is stopped at the end, when each of them has a client. */
export function describeSurfaces(clients: readonly SurfaceClient[]): void {
  const folder = temporaryFolder("surface");
  const watching = new Map<SurfaceClient, WatchedTask>();
  let hub: HubProcess;
  let address: Address;
  let asking: AskingHub;
  let stopped: Promise<number | null> | undefined;

  beforeAll(async () => {
    const program = join(folder, "agent.mjs");
    writeFileSync(program, AGENT);
    // At the end every surface has a task at work.
    const args = ["--grpc-port", "0", "--concurrency", String(clients.length)];
    hub = await startHubProcess({ folder, args });
    const [, grpcUrl = ""] = /grpc\s+(\S+)/.exec(hub.output()) ?? [];
    address = { url: hub.url, grpcUrl };
    const agent = { protocol: "atp", transport: "stdio", command: [process.execPath, program] };
    await hub.post("/agents", { name: "worker", ...agent, env: { API_KEY: SECRET } });
    asking = await openAskingHub({ API_KEY: SECRET });
  });
  afterAll(async () => {
    await (stopped ?? hub.stop());
    await asking.close();
  });

  for (const client of clients) {
    const test = caseOf(client);
    describe(`the surface ${client.name}`, () => {
      describeTasks(client, test, () => ({ hub, address }));
      describeQuestions(client, test, () => asking);
    });
  }

  for (const client of clients) {
    describe(`the surface ${client.name}`, () => {
      beforeAll(async () => {
        if (client.skips.close !== undefined || stopped !== undefined) return;
        for (const each of clients.filter(({ skips }) => skips.close === undefined)) {
          const task = each.give(address, "worker", "hang");
          watching.set(each, task);
          await task.working;
        }
        stopped = hub.stop();
      });

      caseOf(client)("close", async () => {
        expect(await stopped).toBe(0);
        const task = watching.get(client);
        if (task === undefined) throw new Error("no task was given");
        expect(await task.ended).not.toBe("completed");
      });
    });
  }
}

function describeTasks(
  client: SurfaceClient,
  test: CaseOf,
  opened: () => { hub: HubProcess; address: Address },
): void {
  const give = (description: string): WatchedTask => client.give(opened().address, "worker", description);

  test("run", async () => {
    expect(await give("work").ended).toBe("completed");
  });

  test("cancel", async () => {
    const task = give("hang");
    await task.working;
    await task.cancel();
    expect(await task.ended).toBe("cancelled");
  });

  for (const [mistake, code] of Object.entries(REFUSALS) as [Mistake, RegExp][]) {
    test(mistake, async () => {
      expect(await client.mistake(opened().address, mistake)).toMatch(code);
      // A client that does wrong harms no other.
      expect((await opened().hub.send("GET", "/healthz")).status).toBe(200);
    });
  }

  test("reconnect", async () => {
    const numbers = (await client.comeBack?.(opened().address, "worker")) ?? [];
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual(numbers.map((_, index) => index + 2));
  });

  test("secrets", async () => {
    const task = give("work");
    await task.ended;
    expect(task.received()).toContain("[redacted:API_KEY]");
    expect(task.received()).not.toContain(SECRET);
  });
}

/** The agent of these is played by the test: no program that speaks ATP can ask. */
function describeQuestions(client: SurfaceClient, test: CaseOf, opened: () => AskingHub): void {
  describe("with an agent that asks", { timeout: HANG_MS }, () => {
    async function give<Task extends WatchedTask>(
      by: () => Task,
    ): Promise<{ task: Task; session: ScriptedSession }> {
      const given: Task[] = [];
      const session = await opened().sessionOf(() => given.push(by()));
      const [task] = given;
      if (task === undefined) throw new Error("no task was given");
      return { task, session };
    }

    const listen = (): AskedTask => {
      const task = client.giveAndListen?.(opened(), "asker", "ask");
      if (task === undefined) throw new Error("the client cannot be asked");
      return task;
    };

    test("question denied", async () => {
      const { task, session } = await give(() => client.give(opened(), "asker", "ask"));
      session.ask({ id: "p", kind: "permission" });
      await eventually(() =>
        expect(session.heard).toMatchObject([{ answer: { outcome: "declined", by: { kind: "policy" } } }]),
      );
      session.end();
      expect(await task.ended).toBe("completed");
    });

    test("question unanswered", async () => {
      const { task, session } = await give(() => client.give(opened(), "asker", "ask"));
      session.ask({ id: "q" });
      await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
      session.end("failed");
      expect(await task.ended).toBe("failed");
    });

    test("question answered", async () => {
      const { task, session } = await give(listen);
      session.ask({ id: "q", parts: [{ kind: "text", text: "Which city?" }] });
      expect(await task.question).toContain("Which city?");
      task.reply("Rome");
      await eventually(() =>
        expect(session.heard).toMatchObject([{ questionId: "q", answer: { parts: [{ text: "Rome" }] } }]),
      );
      session.end();
      expect(await task.ended).toBe("completed");
    });

    test("question secrets", async () => {
      const isAsked = client.giveAndListen !== undefined;
      const { task, session } = await give<WatchedTask>(
        isAsked ? listen : () => client.give(opened(), "asker", "ask"),
      );
      const parts = [{ kind: "text" as const, text: `is ${SECRET} right?` }];
      session.ask({ id: "p", kind: "permission", parts, subject: { key: SECRET } });
      if (isAsked) (task as AskedTask).reply("Deny");
      await eventually(() => expect(session.heard).toHaveLength(1));
      session.end();
      expect(await task.ended).toBe("completed");
      expect(task.received()).not.toContain(SECRET);
      if (isAsked) expect(task.received()).toContain("[redacted:API_KEY]");
    });
  });
}
