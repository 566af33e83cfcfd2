// Nobody answers in another's name, and no program as a person.
import { describe, expect, it } from "vitest";
import { answerAs } from "./answer-as.ts";
import { OPERATOR, type Caller } from "./caller.ts";

const answer = { question_id: "q", option: "allow" };
const human = { ...answer, by: { kind: "human" as const, name: "boss" } };
const bound = (kind: "agent" | "run" | "folder" | "user", name: string): Caller => ({
  name: "token:1",
  scopes: ["runs:write"],
  binding: { kind, name },
});

describe("An answer", () => {
  it("with a user's token is that user's, whatever name it gives", () => {
    expect(answerAs(bound("user", "ada"), human).by).toEqual({ kind: "human", name: "ada" });
    expect(answerAs(bound("user", "ada"), answer).by).toEqual({ kind: "human", name: "ada" });
    const client = { ...answer, by: { kind: "client" as const } };
    expect(answerAs(bound("user", "ada"), client).by).toEqual({ kind: "client", name: "ada" });
  });

  it("with the token of an agent or a run is never a person's", () => {
    for (const kind of ["agent", "run"] as const) {
      expect(() => answerAs(bound(kind, "writer"), human)).toThrow(/no person/);
      expect(answerAs(bound(kind, "writer"), answer)).toBe(answer);
    }
  });

  it("of the operator, or of a folder's token, is taken at its word", () => {
    for (const caller of [OPERATOR, bound("folder", "team")]) expect(answerAs(caller, human)).toBe(human);
  });
});
