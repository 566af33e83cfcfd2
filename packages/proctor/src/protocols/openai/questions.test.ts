import { describe, expect, it } from "vitest";
import { calls, says, serveModel } from "../../../test/support/openai/scripted-model.ts";
import { driveModel, given, jobFor } from "../../../test/support/openai/drive-model.ts";
import type { NewQuestion } from "../../core/question.ts";
import { openai } from "./index.ts";

const CONVERSATION = { conversation: {} };
const idOf = ({ id }: NewQuestion): string => id;

describe("a chat model that asks the user", () => {
  const asks = calls({ name: "ask_user", arguments: { question: "Which city?" }, id: "q" });

  it("gets the answer as the result of its call", async () => {
    const server = await serveModel(asks, says("Rain in Oslo."));
    const { reports, kinds } = await driveModel(server.base, {
      job: { options: CONVERSATION },
      async onReport(report, session) {
        if (report.kind === "question") await session.answer?.(idOf(report.question), given("Oslo"));
      },
    });
    expect(server.asked[0]?.body["tools"]).toMatchObject([{ function: { name: "ask_user" } }]);
    expect(reports.find(({ kind }) => kind === "question")).toMatchObject({
      question: { kind: "input", parts: [{ kind: "text", text: "Which city?" }] },
    });
    expect(server.asked[1]?.body.messages.at(-1)).toEqual({
      role: "tool",
      tool_call_id: "q",
      content: "Oslo",
    });
    expect(kinds).toEqual(["llm_request", "question", "text", "text", "llm_request", "artifact", "end"]);
  });

  it.each([
    [{ outcome: "declined" as const }, "The user declined to answer."],
    [{ outcome: "given" as const, data: { city: "Oslo" } }, '{"city":"Oslo"}'],
    [{ outcome: "given" as const, option: "yes" }, "yes"],
  ])("is told %j", async (more, content) => {
    const server = await serveModel(asks, says("ok"));
    await driveModel(server.base, {
      job: { options: CONVERSATION },
      onReport(report, session) {
        if (report.kind !== "question") return;
        // An answer may come after the driver has begun to wait for it.
        setImmediate(
          () => void session.answer?.(idOf(report.question), { id: "a", by: { kind: "client" }, ...more }),
        );
      },
    });
    expect(server.asked[1]?.body.messages.at(-1)).toMatchObject({ content });
  });

  it("is not offered that where nobody can be asked, and is told so", async () => {
    const server = await serveModel(asks, says("ok"));
    const { kinds } = await driveModel(server.base);
    expect(server.asked[0]?.body["tools"]).toBeUndefined();
    expect(server.asked[1]?.body.messages.at(-1)?.["content"]).toContain("there is no function");
    expect(kinds).not.toContain("question");
  });

  it("is told when its question has no words", async () => {
    const server = await serveModel(calls({ name: "ask_user", arguments: { question: 7 } }), says("ok"));
    const { kinds } = await driveModel(server.base, { job: { options: CONVERSATION } });
    expect(server.asked[1]?.body.messages.at(-1)?.["content"]).toContain("is missing, or no text");
    expect(kinds).not.toContain("question");
  });

  it("stops waiting when the run is cancelled, and takes no answer afterwards", async () => {
    const server = await serveModel(asks);
    const stop = new AbortController();
    let late: Promise<void> | undefined;
    const { end } = await driveModel(server.base, {
      job: { options: CONVERSATION },
      cancel: stop.signal,
      onReport(report, session) {
        if (report.kind === "question") setImmediate(() => stop.abort());
        if (report.kind === "end") late = session.answer?.("gone", given("x"));
      },
    });
    expect(end).toEqual({ status: "cancelled" });
    await expect(late).rejects.toMatchObject({ code: "QUESTION_NOT_FOUND" });
  });

  it("is answered through the registered protocol as well", async () => {
    const server = await serveModel(asks, says("ok"));
    const driver = openai.createDriver({ hubId: "test" });
    expect(driver.talks).toEqual({ asks: ["input"], follows: true, turns: "serial", history: true });
    const never = new AbortController().signal;
    const session = driver.open(jobFor(server.base, { job: { options: CONVERSATION } }), {
      cancel: never,
      kill: never,
    });
    for await (const report of session) {
      if (report.kind === "question") await session.answer?.(idOf(report.question), given("Oslo"));
    }
    expect(server.asked[1]?.body.messages.at(-1)).toMatchObject({ content: "Oslo" });
  });
});
