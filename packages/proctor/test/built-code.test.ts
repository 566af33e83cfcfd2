// The built program is what users run: what the compiler wrote must mean what the sources say. Each source file is compiled a second
// time, by another compiler, and both results are printed by one printer, so that only a difference in meaning is left.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { minifySync, transformWithOxc } from "vite";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const PACKAGES = ["packages/proctor", "sdk/typescript", "sdk/typescript/term"];

/** What the compilers write in different ways that mean the same: lowered by helpers, or as another kind of declaration. */
const LOWERED = [/^\s*(?:await )?using /m, /\bimport\(\s*[^"\s]/, /^export enum /m];

it.each(PACKAGES)("%s/dist holds what another compiler makes of the same sources", async (folder) => {
  const sources = sourcesIn(join(root, folder, "src"));
  expect(sources.length).toBeGreaterThan(5);
  const different: string[] = [];
  let compared = 0;
  for (const file of sources) {
    const source = readFileSync(join(root, folder, "src", file), "utf8");
    if (LOWERED.some((feature) => feature.test(source))) continue;
    const output = join(root, folder, "dist", file.replace(/\.ts$/, ".js"));
    const difference = existsSync(output)
      ? firstDifference(await compiledOtherwise(source, file), printed(readFileSync(output, "utf8")))
      : "was not built";
    if (difference) different.push(`${folder}/src/${file}: ${difference}`);
    compared += 1;
  }
  expect(different, "is dist older than the sources? npm run build").toEqual([]);
  expect(compared / sources.length).toBeGreaterThan(0.9);
});

it("sees that parentheses were lost", async () => {
  const source = "export const made = (load: any) => new (load() as { A: any }).A(1);";
  const lost = "export const made = (load) => new load().A(1);";
  expect(firstDifference(await compiledOtherwise(source, "made.ts"), printed(lost))).toBe(
    "“new(load()).A(1);” was built as “new load().A(1);”",
  );
});

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !/\.(?:test|case|d)\.ts$/.test(file),
  );
}

async function compiledOtherwise(source: string, file: string): Promise<string> {
  const { code } = await transformWithOxc(source, file, {
    target: "es2023",
    sourcemap: false,
    typescript: { onlyRemoveTypeImports: true, rewriteImportExtensions: "rewrite" },
  });
  return printed(code);
}

/** Without comments, and with only the white space and the parentheses that are needed. */
function printed(code: string): string {
  const { code: text, errors } = minifySync("code.js", code, {
    module: true,
    compress: false,
    mangle: false,
    codegen: { removeWhitespace: true },
  });
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return text;
}

function firstDifference(expected: string, built: string): string | undefined {
  if (expected === built) return undefined;
  let start = 0;
  while (expected[start] === built[start]) start += 1;
  const around = (text: string): string => `“${text.slice(Math.max(0, start - 3), start + 60)}”`;
  return `${around(expected)} was built as ${around(built)}`;
}
