import { describe, expect, it } from "vitest";
import type { A2aTask, StreamResponse } from "../model.ts";
import { createTold } from "./told.ts";

const piece = (text: string, append: boolean): StreamResponse => ({
  artifactUpdate: {
    taskId: "t",
    contextId: "c",
    artifact: { artifactId: "answer", parts: [{ text }] },
    append,
  },
});

const task = (...texts: string[]): A2aTask => ({
  id: "t",
  contextId: "c",
  status: { state: "TASK_STATE_WORKING" },
  artifacts: [{ artifactId: "answer", parts: texts.map((text) => ({ text })) }],
});

describe("What a client was told of a task", () => {
  for (const [length, chars] of [
    ["short", 10],
    ["just short", 128 - '{"text":""}'.length],
    ["just long", 129 - '{"text":""}'.length],
    ["long", 5000],
  ] as const) {
    const texts = ["a", "b", "c"].map((letter) => letter.repeat(chars));
    const [first = "", second = "", third = ""] = texts;

    it(`is known again in ${length} parts: only what is new is told`, () => {
      const told = createTold();
      told.note(piece(first, false));
      told.note(piece(second, true));
      const [news, status] = told.news(task(first, second, third));
      expect(news?.artifactUpdate).toMatchObject({ append: true, artifact: { parts: [{ text: third }] } });
      expect(status?.statusUpdate?.status.state).toBe("TASK_STATE_WORKING");
    });

    it(`is told as a whole again when ${length} parts have changed`, () => {
      const told = createTold();
      told.note(piece(first, false));
      const [news] = told.news(task(second, third));
      expect(news?.artifactUpdate?.append).toBeUndefined();
      expect(news?.artifactUpdate?.artifact.parts).toEqual([{ text: second }, { text: third }]);
    });
  }
});
