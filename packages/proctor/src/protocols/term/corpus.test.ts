import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRequestEncoder, decodeAnswer } from "./codec.ts";
import {
  legacyResponse,
  termRequest,
  termResponse,
  type TermRequest,
} from "../../../test/support/term/document-schemas.ts";

const corpus = new URL("./corpus/", import.meta.url);
const SCHEMAS = { request: termRequest, response: termResponse, legacy: legacyResponse };

describe("corpus/: messages of document 002", () => {
  it.each(filesIn(""))("%s is what its schema says, and nothing of it is lost", (file) => {
    const message = read(file);
    expect(SCHEMAS[nameOf(file)].parse(message)).toEqual(message);
  });

  it.each(filesIn("").filter((file) => nameOf(file) === "request"))(
    "%s is what is sent, field by field",
    (file) => {
      const message = read(file);
      // Each file is a request.
      const { instruction, ...step } = message as unknown as TermRequest;
      const line = createRequestEncoder(instruction)(step);
      expect(line).toBe(JSON.stringify(message));
      expect(line).not.toContain("\n");
    },
  );

  it.each(filesIn("").filter((file) => nameOf(file) !== "request"))(
    "%s is taken, without a complaint",
    (file) => {
      const message = read(file);
      expect(decodeAnswer(JSON.stringify(message))).toMatchObject({
        ok: true,
        answer: { complete: message["task_complete"] ?? message["is_task_complete"] ?? false },
        violations: [],
      });
    },
  );
});

describe("corpus/invalid/: refused", () => {
  it.each(filesIn("invalid/"))("%s, by its rule and at its place", (file) => {
    const { line, rule, where } = read(`invalid/${file}`);
    const decoded = decodeAnswer(String(line));
    expect(decoded).toMatchObject({ ok: false, problem: { rule, ...(where !== null && { where }) } });
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(new URL(folder, corpus)).filter((file) => file.endsWith(".json"));
}

function nameOf(file: string): keyof typeof SCHEMAS {
  return file.split("-")[0] as keyof typeof SCHEMAS;
}

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL(file, corpus), "utf8")) as Record<string, unknown>;
}
