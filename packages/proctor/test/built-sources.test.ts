import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { BUILT_FILES, builtSources } from "./support/built-sources.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

describe("builtSources", () => {
  const resolve = builtSources().resolveId as (source: string, importer?: string) => string | null;

  it("finds what the compiler made of a source, and leaves it to Node", () => {
    const built = resolve("./fold.ts", `${PACKAGE}src/core/fold.test.ts`);
    expect(built).toBe(`${PACKAGE}dist/core/fold.js`);
    expect(built).toMatch(BUILT_FILES);
    expect(resolve("../src/core/fold.ts", `${PACKAGE}test/built-sources.test.ts`)).toBe(built);
  });

  it.each([
    ["a shared suite, which is not built", "./ports/hub.case.ts", "src/core/fold.test.ts"],
    ["a harness", "./support/eventually.ts", "test/docs.test.ts"],
    ["a library", "vitest", "test/docs.test.ts"],
  ])("lets vitest translate %s", (_what, source, importer) => {
    expect(resolve(source, `${PACKAGE}${importer}`)).toBeNull();
  });
});
