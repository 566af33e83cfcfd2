import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { pageScript } from "./page-script.ts";

const folder = fileURLToPath(new URL("./page", import.meta.url));
const files = readdirSync(folder).filter((name) => name.startsWith("create-") && !name.includes(".test."));

describe("the script of the page", () => {
  it("is a script that a browser can read, and ends no element", () => {
    const script = pageScript();
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/<\/script|<!--/i);
    // What tools that run TypeScript put in for an import.
    expect(script).not.toMatch(/__vi|__import|require\(/);
  });

  it("parses no HTML and asks for nothing", () => {
    expect(pageScript()).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|DOMParser|\beval\(|fetch\(|XMLHttp|import\(/,
    );
  });

  it.each(files)("%s brings everything it uses", (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(text.match(/^import (?!type )/gm), "only types may be imported").toBeNull();
    const values = text.match(/^(?:export )?(?:const|let|async function|function|class) \w+/gm) ?? [];
    expect(values, "one function, and nothing beside it").toHaveLength(1);
  });
});
