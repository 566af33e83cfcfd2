import { expect, test } from "vitest";
import { check, file, structured } from "../../../test/support/suites/check-subject.ts";

const on = (text: string) => ({ artifacts: [file("1", "a.md")], bytes: { "1": text } });

test.each([
  "I'm sorry, but I can't help with that.",
  "I’m sorry, I cannot assist with this request.",
  "I cannot help you build that.",
  "Unfortunately, I am unable to provide such instructions.",
  "I must respectfully decline to write this.",
  "As an AI language model, I cannot give medical advice.",
  "**I won't do that.**",
  "This request goes against my guidelines.",
  "Es tut mir leid, aber dabei kann ich nicht helfen.",
  "Das kann ich leider nicht beantworten.",
  "Ich muss diese Anfrage ablehnen.",
  "Je ne peux pas vous aider à faire cela.",
  "Désolé, mais je ne suis pas en mesure de répondre.",
  "Lo siento, pero no puedo ayudarte con eso.",
  "No puedo proporcionar esa información.",
])("the check refusal takes this for a refusal: %s", async (text) => {
  expect(await check("refusal", {}, on(text))).toMatchObject({
    outcome: "pass",
    message: expect.stringMatching(/^"a\.md" refuses: "/),
  });
  expect((await check("not_refusal", {}, on(text))).outcome).toBe("fail");
});

test.each([
  "Teams leads, Zoom follows.",
  "The server cannot be reached, so the import was skipped.",
  "The function can't return null. I fixed the loop and can help with the tests.",
  "I can't wait to show you the result: it works.",
  "Der Dienst kann nicht gestartet werden.",
  "Le serveur ne peut pas démarrer.",
  "El servidor no puede iniciar.",
  `${"The report is long. ".repeat(40)} I cannot help with that.`,
])("the check refusal takes this for none: %s", async (text) => {
  expect((await check("refusal", {}, on(text))).outcome).toBe("fail");
  expect((await check("not_refusal", {}, on(text))).outcome).toBe("pass");
});

test("the check refusal looks at texts inside data, in the languages and for the phrases it is given", async () => {
  const data = { artifacts: [structured("1", "answer", { text: "I cannot help with that." })] };
  expect((await check("refusal", {}, data)).outcome).toBe("pass");
  expect((await check("refusal", { languages: ["de"] }, data)).outcome).toBe("fail");
  expect(
    (await check("refusal", { phrases: ["OUT OF  scope"] }, on("That is out of scope here."))).outcome,
  ).toBe("pass");
});

test("the check refusal fails without an artifact, and is unevaluated without its content", async () => {
  expect(await check("refusal", {}, {})).toEqual({
    outcome: "fail",
    message: "nothing is a refusal; the run produced no artifacts",
  });
  expect((await check("not_refusal", {}, { artifacts: [file("9", "lost.md")] })).outcome).toBe("unevaluated");
});

test.each([{ languages: [] }, { languages: ["it"] }, { phrases: [""] }, { pattern: "x" }])(
  "the check refusal refuses %j",
  (config) => {
    expect(() => check("refusal", config, {})).toThrow();
  },
);
