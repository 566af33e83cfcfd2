// Approvals by those who may not: what tokens may answer, on a real hub.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually, HANG_MS } from "../../test/support/eventually.ts";
import { createScriptedDriver, type ScriptedSession } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub } from "../../test/support/test-hub.ts";
import type { Binding, Caller } from "../core/caller.ts";
import type { NewAnswer } from "../core/question.ts";
import { guardHub } from "./guard-hub.ts";

const driver = createScriptedDriver({ talks: { asks: ["approval"] } });
const AS_BOSS: NewAnswer = { question_id: "q", option: "allow", by: { kind: "human", name: "boss" } };
let test: TestHub;
let session: ScriptedSession;
let id: string;

beforeEach(async () => {
  test = await openTestHub({ driver });
  await test.hub.addAgent({ name: "team.writer", protocol: "x", transport: "stdio", command: ["w"] });
  const index = driver.sessions.length;
  const options = { conversation: { policy: { approval: "ask_human" as const } } };
  const { run } = await test.hub.submit({ agent: "team.writer", task: { description: "d" }, options });
  id = run.id;
  session = await driver.session(index);
  session.ask({ id: "q", kind: "approval" });
  await test.until(id, ({ type }) => type === "question.asked");
});
afterEach(() => test.close());

function as(binding: Binding | undefined) {
  const caller: Caller = { name: "token:1", scopes: ["runs:write", "programs"], ...(binding && { binding }) };
  return guardHub(test.hub, caller);
}

describe("A question for people, asked of a hub with tokens,", { timeout: HANG_MS }, () => {
  it("is not answered with the token of the agent that asks, nor of its run, whatever they say", async () => {
    for (const binding of [
      { kind: "agent", name: "team.writer" },
      { kind: "run", name: id },
    ] as const) {
      await expect(as(binding).answer(id, AS_BOSS)).rejects.toMatchObject({ code: "FORBIDDEN" });
      const asClient = { question_id: "q", option: "allow" };
      await expect(as(binding).answer(id, asClient)).rejects.toMatchObject({ code: "FORBIDDEN" });
    }
    expect((await test.hub.run(id)).status).toBe("waiting");
  });

  it("does not exist for the token of another agent, and is in no list of it", async () => {
    const other = as({ kind: "agent", name: "team.other" });
    await expect(other.answer(id, AS_BOSS)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    expect((await other.questions({ audience: "human" })).items).toEqual([]);
    expect((await as({ kind: "agent", name: "team.writer" }).questions({ run: id })).items).toHaveLength(1);
  });

  it("is answered with a user's token as that user, whoever the answer says it is from", async () => {
    await as({ kind: "user", name: "ada" }).answer(id, AS_BOSS);
    await eventually(() =>
      expect(session.heard).toMatchObject([{ answer: { by: { kind: "human", name: "ada" } } }]),
    );
  });

  it.each([["no binding", undefined] as const, ["the folder", { kind: "folder", name: "team" }] as const])(
    "is answered with a token of %s by whom it says",
    async (_name, binding) => {
      await as(binding).answer(id, AS_BOSS);
      await eventually(() => expect(session.heard).toMatchObject([{ answer: { by: { name: "boss" } } }]));
    },
  );
});
