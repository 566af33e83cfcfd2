// Reads tests of ACTS from a folder or a file: strict, with every problem at its place. Files that are included stay inside the folder, count once, and
// may not include each other in a circle.
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json.ts";
import { quote } from "../../../core/printable.ts";
import { checkValue, type Finding } from "../../../runtime/yaml/findings.ts";
import { problemsError, type Problem } from "../../../runtime/yaml/problem.ts";
import { readText } from "../../../runtime/yaml/read-text.ts";
import { parseYaml, type YamlSource } from "../../../runtime/yaml/yaml-source.ts";
import { finding } from "./check-assertions.ts";
import { checkDocument } from "./check-document.ts";
import { behaviorsSchema, documentSchema, type ActsDocument, type ActsTest } from "./schema.ts";

export interface ActsSuites {
  actsVersion: string;
  specVersion: string;
  suites: LoadedSuite[];
  /** Behaviours that the agent claims to know; absent where no file lists them. */
  behaviors?: ReadonlySet<string>;
}

export interface LoadedSuite {
  id: string;
  name: string;
  tests: LoadedTest[];
}

export type LoadedTest = ActsTest & {
  /** Place of the test in its file: `core.acts.yaml:12`. */
  place: string;
  /** The variables of its document, and of those that include it. */
  variables: Readonly<Record<string, string>>;
};

const MAX_DEPTH = 20;
const MAX_FILES = 1000;
const NAMES = /\.(?:ya?ml|acts\.json)$/i;
/** The file that names the others comes first, so that its order is theirs. */
const MANIFEST = /^suite(?:\.acts)?\.(?:ya?ml|json)$/i;

/** Throws SUITE_INVALID with every problem, or FILE_UNREADABLE. */
export async function readActs(path: string, cwd: string): Promise<ActsSuites> {
  const target = resolve(cwd, path);
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() === true;
  const folder = await realpath(isFolder ? target : dirname(target)).catch(() => dirname(target));
  const names = isFolder ? await filesIn(target, path) : [basename(target)];
  const reader = createReader(folder, isFolder ? path : dirname(path));
  for (const name of names) await reader.read(name);
  return reader.finish();
}

async function filesIn(folder: string, shown: string): Promise<string[]> {
  const entries = await readdir(folder);
  const names = entries.filter((name) => NAMES.test(name)).toSorted();
  if (names.length > 0) return names.toSorted((a, b) => Number(MANIFEST.test(b)) - Number(MANIFEST.test(a)));
  throw new ProctorError(
    "FILE_UNREADABLE",
    `${shown}  holds no file of ACTS\n   their names end in .acts.yaml`,
  );
}

interface Open {
  id: string;
  source: YamlSource;
  variables: Readonly<Record<string, string>>;
}

function createReader(folder: string, shownFolder: string) {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  const suites: LoadedSuite[] = [];
  const places = new Map<string, string>();
  let versions: Pick<ActsSuites, "actsVersion" | "specVersion"> | undefined;
  let behaviors: Set<string> | undefined;

  const report = (source: YamlSource, { path, at, message, hint }: Finding): void => {
    const position = at === "key" ? source.keyAt(path) : source.valueAt(path);
    problems.push({ file: source.file, ...position, message, ...(hint !== undefined && { hint }) });
  };

  /** Reads a file of the folder, by its path in there. */
  async function read(name: string): Promise<void> {
    const target = join(folder, name);
    const id = await realpath(target).catch(() => target);
    if (!seen.has(id)) await visit(id, target, []);
  }

  async function visit(id: string, target: string, chain: readonly Open[]): Promise<void> {
    seen.add(id);
    const shown = join(shownFolder, relative(folder, target));
    const source = parseYaml(shown, await readText(target, shown), null);
    problems.push(...source.problems);
    if (source.problems.length > 0) return;
    if (isJsonObject(source.value) && source.value["behaviors"] !== undefined) return readBehaviors(source);
    const checked = checkValue<ActsDocument>(documentSchema, source.value ?? {});
    if (!checked.ok) for (const found of checked.findings) report(source, found);
    const include = isJsonObject(source.value) ? source.value["include"] : undefined;
    const inherited = chain.at(-1)?.variables ?? {};
    const variables = { ...inherited, ...(checked.ok ? checked.value.variables : {}) };
    for (const [index, each] of (Array.isArray(include) ? include : []).entries()) {
      if (typeof each !== "string") continue;
      await includeFile(each, [...chain, { id, source, variables }], index);
    }
    if (!checked.ok) return;
    for (const found of checkDocument(checked.value, inherited)) report(source, found);
    keep(checked.value, source, variables);
  }

  async function includeFile(name: string, chain: readonly Open[], index: number): Promise<void> {
    const source = chain.at(-1)?.source;
    if (source === undefined) return;
    const refuse = (message: string, hint?: string): void =>
      report(source, finding(["include", index], message, hint));
    const from = join(folder, relative(shownFolder, dirname(source.file)));
    const target = resolve(from, name);
    const id = await realpath(target).catch(() => target);
    const isInside = [target, id].every((each) => each.startsWith(folder + sep));
    if (isAbsolute(name) || !isInside) return refuse(`${quote(name)} is outside of the folder`);
    const circle = chain.findIndex((open) => open.id === id);
    if (circle >= 0) {
      const files = chain.slice(circle).map((open) => open.source.file);
      return refuse(`${quote(name)} includes this file again`, `the circle: ${files.join(" → ")}`);
    }
    if (seen.has(id)) return;
    if (chain.length >= MAX_DEPTH)
      return refuse(`files include each other more than ${MAX_DEPTH} levels deep`);
    if (seen.size >= MAX_FILES) return refuse(`there are more than ${MAX_FILES} files`);
    try {
      await visit(id, target, chain);
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      refuse(error.message.split("\n")[0] ?? "it cannot be read");
    }
  }

  function readBehaviors(source: YamlSource): void {
    const checked = checkValue(behaviorsSchema, source.value);
    if (!checked.ok) for (const found of checked.findings) report(source, found);
    else behaviors = new Set([...(behaviors ?? []), ...checked.value.behaviors.map(({ prefix }) => prefix)]);
  }

  function keep(document: ActsDocument, source: YamlSource, variables: Open["variables"]): void {
    versions ??= { actsVersion: document.acts_version, specVersion: document.spec_version };
    for (const [index, suite] of (document.suites ?? []).entries()) {
      const path = ["suites", index];
      unique(source, `suite ${suite.id}`, [...path, "id"]);
      const tests = suite.tests.map((test, number) => {
        const at = [...path, "tests", number];
        unique(source, `test ${test.id}`, [...at, "id"]);
        return { ...test, variables, place: `${source.file}:${source.valueAt(at).line}` };
      });
      suites.push({ id: suite.id, name: suite.name, tests });
    }
  }

  function unique(source: YamlSource, what: string, path: (string | number)[]): void {
    const known = places.get(what);
    const { line, col } = source.valueAt(path);
    if (known === undefined) places.set(what, `${source.file}:${line}:${col}`);
    else report(source, finding(path, `there is another ${what}`, `it is at ${known}`));
  }

  function finish(): ActsSuites {
    if (problems.length > 0) throw problemsError("SUITE_INVALID", problems);
    if (versions === undefined || suites.length === 0)
      throw new ProctorError("SUITE_INVALID", `${shownFolder}  holds no test of ACTS`);
    return { ...versions, suites, ...(behaviors && { behaviors }) };
  }

  return { read, finish };
}
