// The tests of all files, multiplied by their matrices and data sets, with every template filled in.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { compileVars, inside, read, reporter, type Spot } from "./context.ts";
import type { DataSets } from "./data-set.ts";
import type { Fragment } from "./include.ts";
import { createMatrix } from "./matrix.ts";
import { dataSchema, matrixSchema, MAX_CASES, varsSchema } from "./parameter-schema.ts";
import { combine, findClash, productOf, type Choice, type ParameterSource } from "./parameters.ts";
import type { RowProblems } from "./row-problems.ts";
import { testSchema, type TestFile } from "./schema.ts";
import type { Scope } from "./scope.ts";
import { compile } from "./template.ts";

export interface ExpandedTest {
  spot: Spot;
  /** The test with its templates filled in, right or wrong. */
  raw: unknown;
  /** Undefined when it is wrong, which has been reported. */
  test: TestFile | undefined;
  /** Undefined where templates are text like any other. */
  scope?: Scope;
  choice?: Choice;
}

interface ExpandDeps {
  /** The suite's variables. */
  scope: Scope;
  data: DataSets;
  problems: RowProblems;
}

export async function expandTests(
  fragments: readonly Fragment[],
  around: ExpandDeps,
): Promise<ExpandedTest[]> {
  const budget = { left: MAX_CASES };
  const ofFile = new Map<Fragment, ParameterSource[] | undefined>();
  for (const fragment of fragments) {
    const spot: Spot = { source: fragment.source, path: [], problems: around.problems };
    ofFile.set(fragment, await readParameters(fragment.head, spot, around));
  }
  const expanded: ExpandedTest[] = [];
  for (const fragment of fragments) {
    const inherited = [...fragment.above, fragment].map((one) => ofFile.get(one));
    for (const [index, raw] of (fragment.head.tests ?? []).entries()) {
      const spot: Spot = { source: fragment.source, path: ["tests", index], problems: around.problems };
      const own = isJsonObject(raw) ? await readParameters(raw, spot, around) : [];
      // A source that cannot be used makes every template unknown; its own problem has been reported.
      const sources = [...inherited, own].flatMap((list) => list ?? [undefined]);
      const usable = sources.filter((source) => source !== undefined);
      if (usable.length < sources.length) continue;
      expanded.push(...expandTest(raw, usable, spot, around, budget));
    }
  }
  return expanded;
}

/** Undefined when one of them cannot be used. */
async function readParameters(
  { matrix, data }: { matrix?: unknown; data?: unknown },
  spot: Spot,
  { scope, data: sets, problems }: ExpandDeps,
): Promise<ParameterSource[] | undefined> {
  const fill = (value: unknown, at: Spot): unknown =>
    scope.size > 0 ? compile(value).expand(scope, reporter(at)) : value;
  const sources: (ParameterSource | undefined)[] = [];
  if (matrix !== undefined) {
    const at = inside(spot, "matrix");
    const before = problems.count();
    const entry = read(matrixSchema, fill(matrix, at), at, `"matrix"`);
    const source = entry && createMatrix(entry, reporter(at));
    sources.push(problems.count() === before ? source : undefined);
  }
  if (data !== undefined) {
    const at = inside(spot, "data");
    // Rows are data: nothing in them is a template.
    const entry = read(dataSchema, Array.isArray(data) ? data : fill(data, at), at, `"data"`);
    sources.push(entry && (await sets.load(entry, spot.source, reporter(at))));
  }
  const usable = sources.filter((source) => source !== undefined);
  return usable.length === sources.length ? usable : undefined;
}

function expandTest(
  raw: unknown,
  sources: readonly ParameterSource[],
  spot: Spot,
  { scope }: ExpandDeps,
  budget: { left: number },
): ExpandedTest[] {
  const root = `entry ${Number(spot.path.at(-1)) + 1} of "tests"`;
  if (!isJsonObject(raw)) return [{ spot, raw, test: read(testSchema, raw, spot, root) }];
  const { vars, matrix: _, data: __, ...body } = raw;
  if (vars !== undefined) read(varsSchema, vars, inside(spot, "vars"), `"vars"`);
  const withVars = compileVars(vars);
  if (scope.size === 0 && sources.length === 0 && !withVars) {
    budget.left -= 1;
    return [{ spot, raw: body, test: read(testSchema, body, spot, root) }];
  }
  if (!mayMultiply(sources, vars, spot, budget)) return [];

  const expander = compile(body);
  const hasFixedId = compile(body["id"]).fixed;
  const expanded: ExpandedTest[] = [];
  for (const choice of sources.length > 0 ? combine(sources) : [undefined]) {
    const here: Spot = choice?.origin === undefined ? spot : { ...spot, origin: choice.origin };
    const filled = choice ? withChoice(scope, choice) : scope;
    const own = withVars ? withVars(filled, inside(here, "vars")) : filled;
    // Compiled from a mapping, so it fills in a mapping.
    const value = expander.expand(own, reporter(here)) as JsonObject;
    if (choice && hasFixedId && typeof value["id"] === "string") {
      const id = `${value["id"]}[${choice.label}]`;
      const test = { ...value, id };
      expanded.push({
        spot: here,
        raw: test,
        test: read(testSchema, test, here, root, body),
        scope: own,
        choice,
      });
    } else {
      const test = read(testSchema, value, here, root, body);
      expanded.push({ spot: here, raw: value, test, scope: own, ...(choice && { choice }) });
    }
  }
  if (expanded.length === 0) reporter(inside(spot, "matrix"), "key")([], "every combination is excluded");
  return expanded;
}

function mayMultiply(
  sources: readonly ParameterSource[],
  vars: unknown,
  spot: Spot,
  budget: { left: number },
): boolean {
  const own = { title: "vars", names: new Set(isJsonObject(vars) ? Object.keys(vars) : []), size: 1 };
  const clash = findClash([...sources, { ...own, at: () => undefined }]);
  if (clash) {
    const { name, first, second } = clash;
    reporter(spot)([], `"${name}" comes from ${first} and from ${second}`, "give one of them another name");
    return false;
  }
  const cases = productOf(sources);
  if (cases > budget.left) {
    const what =
      cases > MAX_CASES ? `this makes ${cases} cases` : `with these ${cases} cases the suite has too many`;
    reporter(spot)(
      [],
      `${what}; at most ${MAX_CASES} are allowed`,
      `use fewer values, or a "limit" on the data`,
    );
    return false;
  }
  budget.left -= cases;
  return true;
}

function withChoice(scope: Scope, { values, row }: Choice): Scope {
  const wider = new Map<string, Json>(scope);
  if (row) wider.set("row", row);
  for (const [name, value] of Object.entries(values)) if (value !== undefined) wider.set(name, value);
  return wider;
}
