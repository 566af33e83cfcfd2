// `include`: the files that make up a suite, those that are included before the one that includes them. A file counts
// once, however often it is included.
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { isJsonObject } from "../../core/json.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import type { Variables } from "../../runtime/yaml/variables.ts";
import { readSource } from "./read-source.ts";
import { fragmentSchema, rootSchema, type HeadFile } from "./schema.ts";
import { problemAt, type Source } from "./source.ts";

const MAX_DEPTH = 20;
const MAX_FILES = 1000;

export interface Fragment {
  source: Source;
  /** The file's top level. Defaults, agents and tests are not read yet. */
  head: HeadFile;
  /** The files that include it, the suite's own first. */
  above: readonly Fragment[];
}

interface Included {
  fragments: Fragment[];
  problems: Problem[];
}

export async function readIncluded(
  root: Source,
  file: string | undefined,
  variables: Variables,
): Promise<Included> {
  const problems: Problem[] = [];
  const fragments: Fragment[] = [];
  const seen = new Set<string>();

  async function visit(source: Source, id: string, above: readonly Open[]): Promise<void> {
    seen.add(id);
    problems.push(...source.problems);
    if (source.value === undefined) return;
    const head = readHead(source, above.length === 0, problems);
    if (!head) return;
    const fragment: Fragment = { source, head, above: above.map((open) => open.fragment) };
    const chain = [...above, { id, fragment }];
    for (const [index, name] of (head.include ?? []).entries()) {
      await include(name, ["include", index], chain);
    }
    fragments.push(fragment);
  }

  async function include(name: string, path: (string | number)[], chain: readonly Open[]): Promise<void> {
    const source = chain.at(-1)?.fragment.source ?? root;
    const refuse = (message: string, hint?: string): void => {
      problems.push(problemAt(source, { path, at: "value", message, ...(hint !== undefined && { hint }) }));
    };
    const target = resolve(source.folder, name);
    const id = await realpath(target).catch(() => target);
    const circle = chain.findIndex((open) => open.id === id);
    if (circle >= 0) {
      const names = chain.slice(circle).map((open) => open.fragment.source.file);
      return refuse(
        `${quote(name)} includes this file again`,
        `the circle: ${[...names, names[0]].join(" → ")}`,
      );
    }
    if (seen.has(id)) return;
    if (chain.length > MAX_DEPTH)
      return refuse(`files include each other more than ${MAX_DEPTH} levels deep`);
    if (seen.size >= MAX_FILES) return refuse(`a suite has at most ${MAX_FILES} files`);
    const shown = isAbsolute(name) ? name : join(dirname(source.file), name);
    let included: Source;
    try {
      included = await readSource(target, shown, variables);
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      seen.add(id);
      return refuse(...unreadable(name, error));
    }
    await visit(included, id, chain);
  }

  await visit(root, file === undefined ? "" : await realpath(file).catch(() => resolve(file)), []);
  return { fragments, problems };
}

interface Open {
  /** The real path, which finds circles. */
  id: string;
  fragment: Fragment;
}

function readHead(source: Source, isRoot: boolean, problems: Problem[]): HeadFile | undefined {
  const checked = checkValue<HeadFile>(isRoot ? rootSchema : fragmentSchema, source.value);
  if (checked.ok) return checked.value;
  problems.push(...checked.findings.map((finding) => problemAt(source, finding)));
  if (!isJsonObject(source.value)) return undefined;
  // The rest is read all the same, so that its problems are reported together with these.
  const broken = new Set(checked.findings.map(({ path }) => String(path[0])));
  const rest = Object.fromEntries(Object.entries(source.value).filter(([key]) => !broken.has(key)));
  const again = checkValue<HeadFile>(fragmentSchema, rest);
  return again.ok ? again.value : undefined;
}

function unreadable(name: string, { details, message }: ProctorError): [message: string, hint?: string] {
  const { what, next } = isJsonObject(details) ? details : {};
  if (typeof what !== "string" || typeof next !== "string") return [message.split("\n")[0] ?? ""];
  if (what !== "there is no such file") return [`${quote(name)} ${what}`, next];
  return [`there is no file ${quote(name)}`, "the path is taken from the folder of this file"];
}
