import { describe, expect, it } from "vitest";
import type { LlmMessage } from "../../core/ports/llm.ts";
import { createScriptedModel } from "./scripted-model.ts";

const NEVER = new AbortController().signal;
const said = (...contents: string[]): { model: string; messages: LlmMessage[] } => ({
  model: "m",
  messages: contents.map((content, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content })),
});

describe("a model that answers from a script in this process", () => {
  it("answers by what was said and by the turn, and uses answers up", async () => {
    const ask = createScriptedModel({
      answers: [
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
        { when: { contains: "which" }, then: { content: "this one" }, times: 1 },
        // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
        { when: { turn: 2 }, then: { content: "second" } },
      ],
      default: { content: "hello" },
    });
    expect((await ask(said("which?"), NEVER)).text).toBe("this one");
    expect((await ask(said("which?"), NEVER)).text).toBe("hello");
    expect((await ask(said("a", "b", "c"), NEVER)).text).toBe("second");
  });

  it("fails at once where the script says so, or has no answer", async () => {
    const broken = createScriptedModel({ answers: [], default: { error: { status: 503, message: "down" } } });
    await expect(broken(said("a"), NEVER)).rejects.toThrow(/down/);
    // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
    const silent = createScriptedModel({ answers: [{ when: { turn: 9 }, then: { content: "x" } }] });
    await expect(silent(said("a"), NEVER)).rejects.toThrow(/no answer of the script matches/);
  });
});
