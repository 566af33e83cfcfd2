import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { carry, type Carried } from "../../../test/support/a2a/carry.ts";
import { A2aError } from "./errors.ts";
import { METHODS } from "./methods.ts";
import { A2A_VERSIONS, type A2aVersion } from "./service.ts";

const FOLDERS: Record<A2aVersion, string> = { "1.0": "v1", "0.3": "v0_3" };

interface InvalidMessage {
  /** Whether nothing can be made of it; otherwise it is used, and what is wrong is noted. */
  refused: boolean;
  paths: string[];
  message: Json;
}

describe.each(A2A_VERSIONS)("the corpus of A2A %s", (version) => {
  it.each(filesIn(version))("has nothing wrong, and comes back as it was: %s", (file) => {
    const message = read(version, file);
    const { json, losses, problems } = carry(message, whatIn(file), version, version);
    expect(json).toEqual(message);
    expect({ losses, problems }).toEqual({ losses: [], problems: [] });
  });

  it.each(filesIn(version))("can be carried to the other version, and read there: %s", (file) => {
    const other = version === "1.0" ? "0.3" : "1.0";
    const what = whatIn(file);
    const { json } = carry(read(version, file), what, version, other);
    expect(() => carry(JSON.parse(JSON.stringify(json)) as Json, what, other, other)).not.toThrow();
  });

  it.each(filesIn(version, "invalid/"))("says where something is wrong: invalid/%s", (file) => {
    const { refused, paths, message } = read(version, `invalid/${file}`) as unknown as InvalidMessage;
    expect(wrongIn(message, whatIn(file), version)).toEqual({ refused, paths });
  });

  it("has a message of every operation", () => {
    const files = filesIn(version);
    for (const operation of Object.keys(METHODS[version])) {
      const shown = files.some((file) => file.startsWith(`request-${operation}`) || file.startsWith("card"));
      expect(shown, operation).toBe(true);
    }
    for (const kind of ["request", "result", "frame", "card"]) {
      expect(files.some((file) => file.startsWith(kind))).toBe(true);
      expect(filesIn(version, "invalid/").some((file) => file.startsWith(kind))).toBe(true);
    }
  });
});

function wrongIn(message: Json, what: Carried, version: A2aVersion): { refused: boolean; paths: string[] } {
  try {
    const { problems } = carry(message, what, version, version);
    return { refused: false, paths: problems.map(({ path }) => path) };
  } catch (error) {
    if (!(error instanceof A2aError)) throw error;
    return { refused: true, paths: error.fields.map(({ field }) => field) };
  }
}

/** The name says it: `request-send-text.json`, `result-getTask.json`, `frame-task.json`, `card-smallest.json`. */
function whatIn(file: string): Carried {
  const [kind, operation] = file.replace(/\.json$/, "").split("-");
  if (kind === "frame" || kind === "card") return kind;
  return { [kind ?? ""]: operation } as unknown as Carried;
}

function filesIn(version: A2aVersion, folder = ""): string[] {
  const files = readdirSync(new URL(`./corpus/${FOLDERS[version]}/${folder}`, import.meta.url));
  return files.filter((file) => file.endsWith(".json"));
}

function read(version: A2aVersion, file: string): Json {
  const text = readFileSync(new URL(`./corpus/${FOLDERS[version]}/${file}`, import.meta.url), "utf8");
  return JSON.parse(text) as Json;
}
