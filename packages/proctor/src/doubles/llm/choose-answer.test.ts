// Which answer a request gets, and what is said when it gets none.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import type { LlmCondition, LlmRule } from "../../core/llm-script.ts";
import { createChooser } from "./choose-answer.ts";
import { request, rule } from "../../../test/support/doubles/mock-llm-harness.ts";
import { readChat } from "./read-chat.ts";
import { soonTooSlow } from "../../../test/support/soon-too-slow.ts";

const answer = { content: "x" };
const chooser = (...answers: LlmRule[]) => createChooser({ answers }, (text) => text);

const TALK = request(
  { role: "system", content: "You are a weather bot." },
  {
    role: "user",
    content: [
      { type: "text", text: "Weather in Oslo?" },
      { type: "image_url", image_url: {} },
    ],
  },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "1", type: "function", function: { name: "w", arguments: "{}" } }],
  },
  { role: "tool", content: "4 degrees", tool_call_id: "1" },
);

function matches(when: LlmCondition, body: JsonObject = TALK): boolean {
  try {
    chooser(rule(when, answer))(readChat(body));
    return true;
  } catch {
    return false;
  }
}

test.each<[LlmCondition, boolean]>([
  [{}, true],
  [{ contains: "4 degrees" }, true],
  [{ contains: "Oslo" }, false],
  [{ contains: "Oslo", role: "user" }, true],
  [{ contains: "oslo", role: "user" }, false],
  [{ contains: "bot", role: "system" }, true],
  [{ contains: "x", role: "developer" }, false],
  [{ regex: "^\\d+ degrees$" }, true],
  [{ regex: "(?i)OSLO", role: "user" }, true],
  [{ regex: "^degrees" }, false],
  [{ role: "tool" }, true],
  [{ role: "user" }, false],
  [{ turn: 2 }, true],
  [{ turn: 1 }, false],
  [{ model: "gpt-*" }, true],
  [{ model: "gpt" }, false],
  [{ json_path: "$.messages[1].content[0].text" }, true],
  [{ json_path: "$.tools" }, false],
  [{ json_path: { path: "$.messages[*].role", equals: "tool" } }, true],
  [{ json_path: { path: "$.model", equals: "gpt" } }, false],
  [{ json_path: { path: "$..content", contains: "degrees" } }, true],
  [{ json_path: { path: "$..content", contains: "rain" } }, false],
  [{ turn: 2, contains: "degrees", model: "*-test", role: "tool" }, true],
  [{ turn: 2, contains: "degrees", model: "*-test", role: "user" }, false],
])("a condition of the script %j: %s", (when, expected) => {
  expect(matches(when)).toBe(expected);
});

test("the first scripted answer that matches is given, until it is used up, then the next, then the default", () => {
  const choose = createChooser(
    {
      answers: [rule({ turn: 1 }, { content: "a" }, 2), rule({}, { content: "b" }, 1)],
      default: { content: "c" },
    },
    (text) => text,
  );
  const asked = readChat(request("x"));
  expect(Array.from({ length: 5 }, () => choose(asked).number)).toEqual([1, 1, 2, "default", "default"]);
});

describe("when no scripted answer matches,", () => {
  const messageFor = (rules: LlmRule[], times = 0): string => {
    const choose = chooser(...rules);
    for (let index = 0; index < times; index++) choose(readChat(TALK));
    try {
      choose(readChat(TALK));
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };

  test("the nearest answer is named, with all that is against it", () => {
    const far = rule({ turn: 1, model: "claude-*", role: "user" }, answer);
    const near = rule({ turn: 2, contains: "Rome", role: "user" }, answer);
    expect(messageFor([far, near])).toBe(
      'no answer of the script matches this request (turn 2, model "gpt-test") and it has no default; ' +
        'nearest is answer 2 of 2: the last message from user, "Weather in Oslo?", does not contain "Rome"',
    );
    expect(messageFor([far])).toContain(
      'answer 1 of 1: it is turn 2, not 1; the model is "gpt-test", not "claude-*"; the last message is from tool, not from user',
    );
  });

  test.each<[LlmCondition, string]>([
    [{ regex: "^x" }, 'the last message, "4 degrees", does not match /^x/'],
    [{ contains: "x", role: "developer" }, "there is no message from developer"],
    [{ json_path: "$.tools" }, "$.tools leads to nothing in the request"],
    [
      { json_path: { path: "$.model", equals: 5, contains: "a" } },
      'nothing at $.model equals 5 and contains "a"',
    ],
  ])("the reason is given for %j", (when, message) => {
    expect(messageFor([rule(when, answer)])).toContain(message);
  });

  test("an answer that is used up says so", () => {
    expect(messageFor([rule({ turn: 2 }, answer, 1)], 1)).toContain("it is used up, it answers once");
    expect(messageFor([rule({ turn: 2 }, answer, 3)], 3)).toContain("it answers 3 times");
  });

  test("what a message says is shortened after secrets are gone", () => {
    const text = `${"y".repeat(115)}SECRET${"z".repeat(50_000)}`;
    const choose = createChooser({ answers: [rule({ contains: "q" }, answer)] }, (said) =>
      said.replaceAll("SECRET", "***"),
    );
    expect(() => choose(readChat(request(text)))).toThrow(/^(?!.*SEC).{100,400}$/);
  });
});

test("a regular expression that takes too long is an error that names it", async () => {
  const choose = chooser(rule({ regex: "^(a+)+$" }, answer));
  const chat = readChat(request(`${"a".repeat(50)}!`));
  await expect(soonTooSlow(() => choose(chat))).rejects.toThrow(
    /answer 1 could not be tried: the pattern \/\^\(a\+\)\+\$\/ is too slow/,
  );
});
