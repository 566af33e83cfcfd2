import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../test/support/property-runs.ts";
import { checkKey, type ArtifactKey } from "./artifact-key.ts";
import { findArtifactUris, isArtifactUri, parseArtifactUri, writeArtifactUri } from "./artifact-uri.ts";
import { anyCharacter } from "../../test/support/any-character.ts";

const KEY = { app: "writer", user: "ada@example.com", session: "s 1", name: "report.csv" };

function isKey(key: ArtifactKey): boolean {
  try {
    checkKey(key);
    return true;
  } catch {
    return false;
  }
}

const segment = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 });
const keys = fc.record({ app: segment, user: segment, session: segment, name: segment }).filter(isKey);

describe("an artifact's URI", () => {
  it("has a percent-encoded segment for each part of the key, and the version as its query", () => {
    expect(writeArtifactUri({ ...KEY, version: 3 })).toBe(
      "artifact://writer/ada%40example.com/s%201/report.csv?version=3",
    );
    expect(parseArtifactUri("artifact://writer/ada%40example.com/s%201/report.csv")).toEqual(KEY);
    expect(parseArtifactUri("ARTIFACT://writer/ada@example.com/s%201/report.csv?version=latest")).toEqual(
      KEY,
    );
  });

  it("is read as it was written, whatever the names are, also in the middle of a sentence", () => {
    const versions = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: undefined });
    fc.assert(
      fc.property(keys, versions, (key, version) => {
        const reference = { ...key, ...(version !== undefined && { version }) };
        const uri = writeArtifactUri(reference);
        expect(isArtifactUri(uri)).toBe(true);
        expect(parseArtifactUri(uri)).toEqual(reference);
        for (const text of [uri, `Look at ${uri}.`, `(${uri}), then "${uri}"!`, `«${uri}»?`]) {
          expect(findArtifactUris(text)).toEqual([uri]);
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it.each([
    "artifact://",
    "artifact:///a/b/c/d",
    "artifact://a/b/c",
    "artifact://a/b/c/d/e",
    "artifact://a//c/d",
    "artifact://a/b/c/..",
    "artifact://a/b/c/%2e%2e",
    "artifact://a/b/c/..%2f..%2fetc%2fpasswd",
    "artifact://a/b/c/x%5Cy",
    "artifact://a/b/c/x%00",
    "artifact://a/b/c/%",
    "artifact://a/b/c/%ff",
    "artifact://a/b/c/user:",
    "artifact://a/b/c/user%3A..",
    "artifact://%2e%2e/b/c/d",
    "artifact://a/b/c/d?version=0",
    "artifact://a/b/c/d?version=-1",
    "artifact://a/b/c/d?version=1.5",
    "artifact://a/b/c/d?version=99999999999",
    "artifact://a/b/c/d?version=",
    "artifact://a/b/c/d?v=1",
    "artifact://a/b/c/d#x",
    `artifact://a/b/c/${"x".repeat(256)}`,
    "file:///etc/passwd",
  ])("cannot be %s", (text) => {
    expect(() => parseArtifactUri(text)).toThrow(
      expect.objectContaining({ code: "INVALID_REQUEST" }) as Error,
    );
  });

  it("is not seen in a text that only speaks of the scheme", () => {
    const text =
      "What is artifact:// for? artifact://.../input.txt or artifact://a/b, superartifact://a/b/c/d";
    expect(findArtifactUris(text)).toEqual([]);
  });
});
