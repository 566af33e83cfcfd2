import { expect, test } from "vitest";
import { planConversation } from "./conversation-plan.ts";

const DENIED = { input: "deny", form: "deny", permission: "deny", approval: "deny", auth: "deny" };

test("a person at a terminal is asked, and policies stay as they were given", () => {
  expect(planConversation({}, true)).toEqual({ asksHere: true, answers: [], conversation: {} });
  expect(planConversation({ policy: { permission: "allow" } }, true).conversation).toEqual({
    policy: { permission: "allow" },
  });
});

test("without a terminal nobody can be asked, unless the command says who answers", () => {
  expect(planConversation({}, false)).toEqual({ asksHere: false, answers: [] });
  expect(planConversation({ policy: { permission: "allow" } }, false).conversation).toEqual({
    policy: { ...DENIED, permission: "allow" },
  });
});

test("answers of a command come before its policy for input, which follows when they are used up", () => {
  expect(planConversation({ answer: ["a"] }, false)).toEqual({
    asksHere: false,
    answers: ["a"],
    conversation: { policy: { ...DENIED, input: "ask" } },
    afterAnswers: "deny",
  });
  expect(planConversation({ answer: ["a"], policy: { input: { answer: "b" } } }, true)).toEqual({
    asksHere: true,
    answers: ["a"],
    conversation: { policy: { input: "ask" } },
    afterAnswers: { answer: "b" },
  });
  expect(
    planConversation({ answer: ["a"], policy: { input: "ask_human" } }, false).conversation,
  ).toMatchObject({
    policy: { input: "ask_human" },
  });
});

test.each(["allow", "simulate"] as const)(
  "answers of a command contradict the policy %s for input",
  (policy) => {
    expect(() => planConversation({ answer: ["a"], policy: { input: policy } }, true)).toThrow(/contradict/);
  },
);
