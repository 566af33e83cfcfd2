import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { HANG_MS, eventually } from "../../test/support/eventually.ts";
import { createManualClock } from "../../test/support/manual-clock.ts";
import { createScriptedDriver } from "../../test/support/scripted-driver.ts";
import { openTestHub, type TestHub, type TestHubOptions } from "../../test/support/test-hub.ts";
import { MAX_MESSAGE_CHARS, MAX_MESSAGES, textPart } from "../core/message.ts";
import type { RunRequest } from "../core/ports/hub.ts";
import { newEvent } from "../../test/support/stores/fixtures.ts";

const agent = { protocol: "puppet", transport: "stdio", command: ["x"] };
const task = { description: "talk" };
const talks = { says: true, asks: ["input" as const], parks: true, follows: true };
const open: TestHub[] = [];

afterEach(async () => {
  for (const hub of open.splice(0)) await hub.close();
});

async function setUp(options: TestHubOptions = {}) {
  const driver = createScriptedDriver({ talks });
  const hub = await openTestHub({ driver, ...options });
  open.push(hub);
  const submit = async (request: Partial<RunRequest> = {}) =>
    (await hub.hub.submit({ agent, task, options: { conversation: {} }, ...request })).run.id;
  return { hub, driver, submit };
}

function asked(hub: TestHub, id: string, question: string) {
  return hub.until(id, (event) => event.type === "question.asked" && event.payload.question.id === question);
}

describe("an agent that misuses questions", { timeout: HANG_MS }, () => {
  it("and asks for ever is stopped", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit({ options: { conversation: { policy: { input: { answer: "no" } } } } });
    const session = await driver.session(0);
    for (let count = 0; count <= 100; count++) session.ask({ id: `q${count}` });
    const run = await hub.ended(id);
    expect(run).toMatchObject({ status: "failed", failure: { code: "NO_ANSWER" }, questions: [] });
    expect(run.failure?.message).toContain("more than 100 questions");
    expect((await hub.log(id)).filter(({ type }) => type === "question.asked")).toHaveLength(100);
  });

  it("and goes on meanwhile is told so, and its time runs", async () => {
    const clock = createManualClock();
    const { hub, driver, submit } = await setUp({ clock });
    const id = await submit({ constraints: { timeout_seconds: 1 } });
    const session = await driver.session(0);
    session.ask({ id: "q" });
    await asked(hub, id, "q");
    session.event("tool_call", { tool: "rm" });
    session.event("tool_call", { tool: "rm" });
    await hub.until(id, ({ type }) => type === "violation");
    await eventually(() => {
      clock.advance(1000);
      expect(session.signals.kill.aborted).toBe(true);
    });
    expect(await hub.ended(id)).toMatchObject({
      status: "timeout",
      violations: [{ rule: "question.not_blocking" }],
    });
  });

  it("and asks the same twice has asked once", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q" });
    session.ask({ id: "q" });
    await asked(hub, id, "q");
    await hub.hub.answer(id, { question_id: "q", parts: [textPart("x")] });
    session.ask({ id: "q" });
    session.end();
    await hub.ended(id);
    expect((await hub.log(id)).filter(({ type }) => type === "question.asked")).toHaveLength(1);
    expect(session.heard).toHaveLength(1);
  });

  it("and hides a secret in the name of its question is answered all the same", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit({ context: { environment: { KEY: "s3cret-value" } } });
    const session = await driver.session(0);
    session.ask({ id: "q-s3cret-value" });
    await hub.until(id, ({ type }) => type === "question.asked");
    const [question] = (await hub.hub.run(id)).questions;
    expect(question?.id).toBe("q-[redacted:KEY]");
    await hub.hub.answer(id, { question_id: question?.id ?? "", parts: [textPart("x")] });
    await eventually(() => expect(session.heard).toMatchObject([{ questionId: "q-s3cret-value" }]));
    session.end();
    await hub.ended(id);
  });

  it("is stopped in the middle of its question when the run is cancelled, and what is answered then is refused", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    session.ask({ id: "q" });
    await asked(hub, id, "q");
    await hub.hub.cancel(id, "enough");
    await eventually(() => expect(session.signals.cancel.aborted).toBe(true));
    session.end("cancelled");
    expect(await hub.ended(id)).toMatchObject({ status: "cancelled", questions: [] });
    await expect(hub.hub.answer(id, { question_id: "q", parts: [textPart("x")] })).rejects.toMatchObject({
      code: "ANSWERED_ALREADY",
    });
    expect(session.heard).toEqual([]);
  });
});

describe("a client that misuses a run", { timeout: HANG_MS }, () => {
  it("cannot answer what another run asked, nor what nobody asked", async () => {
    const { hub, driver, submit } = await setUp();
    const [one, two] = [await submit(), await submit()];
    (await driver.session(0)).ask({ id: "q" });
    await asked(hub, one, "q");
    for (const [run, question] of [
      [two, "q"],
      [one, "other"],
    ] as const) {
      const answer = hub.hub.answer(run, { question_id: question, parts: [textPart("x")] });
      await expect(answer).rejects.toMatchObject({ code: "QUESTION_NOT_FOUND" });
    }
    for (const index of [0, 1]) (await driver.session(index)).end();
    await Promise.all([hub.ended(one), hub.ended(two)]);
  });

  it("cannot say too much, nor too often", async () => {
    const { hub, driver, submit } = await setUp();
    const id = await submit();
    const session = await driver.session(0);
    const long = [textPart("x".repeat(MAX_MESSAGE_CHARS))];
    await expect(hub.hub.say(id, { parts: long })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await expect(hub.hub.say(id, { parts: [] })).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    const said = Array.from({ length: MAX_MESSAGES }, (_, index) =>
      newEvent({
        type: "message.added",
        payload: { message: { id: `m${index}`, role: "agent", parts: [textPart("x")] } },
      }),
    );
    await hub.store.append(id, said);
    await expect(hub.hub.say(id, { parts: [textPart("more")] })).rejects.toMatchObject({
      code: "LIMIT_REACHED",
    });
    session.end();
    await hub.ended(id);
  });

  it("may follow one run twice, and gets the way to go on only for the same agent", async () => {
    const { hub, driver, submit } = await setUp();
    const first = await submit();
    const one = await driver.session(0);
    one.push({ kind: "session", continuation: { thread: 1 } });
    one.end();
    await hub.ended(first);
    const other = { ...agent, command: ["y"] };
    const forks = [await submit({ follows: first }), await submit({ follows: first, agent: other })];
    const jobs = [await driver.session(1), await driver.session(2)];
    expect(jobs[0]?.job.conversation?.continuation).toEqual({ thread: 1 });
    expect(jobs[1]?.job.conversation).toBeDefined();
    expect(jobs[1]?.job.conversation?.continuation).toBeUndefined();
    for (const session of jobs) session.end();
    for (const id of forks) expect((await hub.ended(id)).conversation_id).toBe(first);
    await expect(submit({ follows: first, conversation_id: "another" })).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it("gets a run that says so when the way to go on was sealed with a key that is gone", async () => {
    const { hub, driver, submit } = await setUp();
    const first = await submit();
    const one = await driver.session(0);
    one.push({ kind: "session", continuation: { thread: 1 } });
    one.end();
    await hub.ended(first);
    const { folder } = hub;
    open.splice(0);
    await hub.hub.close();
    await rm(join(folder, "seal.key"));
    const later = createScriptedDriver({ talks });
    const again = await openTestHub({ folder, driver: later });
    const { run } = await again.hub.submit({ agent, task, follows: first });
    expect(await again.ended(run.id)).toMatchObject({ status: "failed", failure: { code: "SECRETS_LOST" } });
    await again.close();
    await rm(folder, { recursive: true, force: true });
  });
});

describe("an artifact that comes in pieces", { timeout: HANG_MS }, () => {
  it("is kept when it is whole, replaced where the agent says so, and cut off at its limit", async () => {
    const { hub, driver, submit } = await setUp({
      artifactLimits: { count: 10, fileBytes: 8, runBytes: 100 },
    });
    const id = await submit();
    const session = await driver.session(0);
    const chunk = (artifactId: string, text: string, append: boolean, last: boolean) =>
      session.push({
        kind: "chunk",
        artifactId,
        name: `${artifactId}.txt`,
        content: Buffer.from(text),
        append,
        last,
      });
    chunk("a", "wrong", true, false);
    chunk("a", "one ", false, false);
    chunk("a", "two", true, true);
    chunk("b", "12345678", true, false);
    chunk("b", "9", true, true);
    chunk("c", "left", true, false);
    session.end();
    const run = await hub.ended(id);
    const contents = await Promise.all(
      run.artifacts.map(async (artifact) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of await hub.hub.readArtifact(id, artifact.id)) pieces.push(piece);
        return Buffer.concat(pieces).toString();
      }),
    );
    expect(contents).toEqual(["one two", "12345678", "left"]);
    expect(run.violations).toMatchObject([{ rule: "artifact.too_large" }]);
    expect((await hub.log(id)).filter(({ type }) => type === "artifact.extended")).toHaveLength(5);
  });
});
