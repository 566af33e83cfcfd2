// Reads a suite: a file and what it includes, or an object. Defaults applied, templates filled in, agents placed, every
// check bound and still knowing its line. All problems are reported together.
import type { NewAgent } from "../core/ports/hub.ts";
import { isDeclarative, loadDeclarative } from "./declarative/load-declarative.ts";
import { createDataSets } from "./format/data-set.ts";
import { compileVars, inside, type Spot } from "./format/context.ts";
import { createDefaults } from "./format/defaults.ts";
import { expandTests } from "./format/expand-tests.ts";
import { readIncluded, type Fragment } from "./format/include.ts";
import { objectSource } from "./format/object-source.ts";
import { readAgents, type CheckOptions } from "./format/read-agents.ts";
import { readSource } from "./format/read-source.ts";
import { readTest, type ReadTestOptions } from "./format/read-test.ts";
import { findDoubleAgents, findDoubleTests, findUnknownAgents } from "./format/relations.ts";
import { createRowProblems, type RowProblems } from "./format/row-problems.ts";
import type { Scope } from "./format/scope.ts";
import { problemAt, type Source } from "./format/source.ts";
import { createFixtureCheck, createSecretCheck } from "./format/surroundings.ts";
import { loadUserScripts } from "./format/user-scripts.ts";
import { loadLabFiles, placeLabs, type LabsEntry } from "./format/labs-entry.ts";
import { loadToolFiles, placeTools, type ToolsEntry } from "./format/tools-entry.ts";
import { isJsonObject } from "../core/json.ts";
import { problemsError, type Problem } from "../runtime/yaml/problem.ts";
import type { Suite } from "./suite.ts";
import type { Variables } from "../runtime/yaml/variables.ts";

interface LoadSuiteOptions {
  /** The values for `${NAME}` in strings, usually the environment. */
  variables?: Variables;
  /** The schemes that the hub speaks, as `protocol+transport`; any scheme is accepted when absent. */
  schemes?: readonly string[];
  /** Says what is wrong with an agent's options; any are accepted when absent. */
  checkOptions?: CheckOptions;
}

/** Throws SUITE_INVALID with all problems, or FILE_UNREADABLE. */
export async function loadSuite(file: string, options: LoadSuiteOptions = {}): Promise<Suite> {
  const source = await readSource(file, file, options.variables ?? {});
  // A declarative test is data to the letter: `${NAME}` means nothing in it.
  if (isDeclarative(source.value)) return loadDeclarative(await readSource(file, file, null));
  return build(source, file, options);
}

interface DefinitionPlace extends Omit<LoadSuiteOptions, "variables"> {
  /** The values for `${NAME}` in strings; null leaves it as text. */
  variables?: Variables | null;
  /** The name of the suite in messages. */
  file: string;
  /** The absolute folder that relative paths start in. */
  folder: string;
}

/** Reads a suite that is an object already. */
export async function loadDefinition(definition: unknown, place: DefinitionPlace): Promise<Suite> {
  const { file, folder, variables = {}, ...checks } = place;
  const source = objectSource(definition, { file, folder, variables });
  return build(source, undefined, { variables: variables ?? {}, ...checks });
}

async function build(root: Source, file: string | undefined, options: LoadSuiteOptions): Promise<Suite> {
  const { variables = {}, ...checks } = options;
  const { fragments, problems: found } = await readIncluded(root, file, variables);
  const rows = createRowProblems();
  const scope = suiteScope(fragments, rows);
  const agents = readAgents(fragments, { ...checks, scope, problems: rows });
  const defaultsFor = createDefaults(fragments, rows);
  const tests = await expandTests(fragments, { scope, data: createDataSets(found), problems: rows });
  if (tests.length === 0) defaultsFor(scope.size > 0 ? scope : undefined);
  findDoubleAgents(agents);
  findDoubleTests(tests);
  findUnknownAgents(tests, fragments, agents, rows);

  const checkSecrets = createSecretCheck();
  const checkFixture = createFixtureCheck();
  const parts = tests.flatMap(
    ({ test, spot, scope: own, choice }): (Omit<ReadTestOptions, "tools" | "labs" | "script"> & Named)[] => {
      const defaults = defaultsFor(own, spot.origin);
      if (!test) return [];
      checkSecrets(test, defaults, spot);
      checkFixture(test, spot);
      const tools = placeTools(test.tools, inside(spot, "tools")) ?? defaults.tools;
      const labs = { ...defaults.labs, ...placeLabs(test.labs, inside(spot, "labs")) };
      return [{ test, defaults, spot, ...(choice && { choice }), ...(tools && { tools }), labs }];
    },
  );
  const entries = parts.flatMap(({ tools }) => (tools ? [tools] : []));
  const toolsOf = await loadToolFiles(entries, variables, found);
  const labsOf = await loadLabFiles(
    parts.map(({ labs }) => labs),
    variables,
    found,
  );
  const scriptOf = await loadUserScripts(parts, variables, found);
  const problems = [...found, ...rows.list(), ...(fragments.length > 0 ? findNoTests(fragments, root) : [])];
  if (problems.length > 0) throw problemsError("SUITE_INVALID", inOrder(problems, root.file));

  const { test_suite: name = "", description } = fragments.at(-1)?.head ?? {};
  return {
    file: root.file,
    name,
    ...(description && { description }),
    agents: agents.flatMap(({ agent }): NewAgent[] => (agent ? [agent] : [])),
    tests: parts.map(({ tools, labs, ...rest }) =>
      readTest({
        ...rest,
        tools: toolsOf(tools),
        labs: labsOf(labs),
        script: scriptOf(rest.test, rest.spot),
      }),
    ),
  };
}

interface Named {
  tools?: ToolsEntry;
  labs: LabsEntry;
}

/** The variables of all files: later includes override earlier ones, and the file itself overrides all. */
function suiteScope(fragments: readonly Fragment[], problems: RowProblems): Scope {
  let scope: Scope = new Map();
  for (const { source, head } of fragments) {
    const spot: Spot = { source, path: [], problems };
    const defaults = isJsonObject(head.defaults) ? head.defaults : {};
    scope = compileVars(head.vars)?.(scope, inside(spot, "vars")) ?? scope;
    scope = compileVars(defaults["vars"])?.(scope, inside(spot, "defaults", "vars")) ?? scope;
  }
  return scope;
}

function findNoTests(fragments: readonly Fragment[], root: Source): Problem[] {
  if (fragments.some(({ head }) => (head.tests ?? []).length > 0) || !isJsonObject(root.value)) return [];
  const { tests } = root.value;
  // Anything else has been reported.
  if (tests !== undefined && !Array.isArray(tests)) return [];
  const message = tests === undefined ? `missing key "tests"` : `"tests" needs at least 1 entry`;
  return [problemAt(root, { path: ["tests"], at: "value", message })];
}

/** The suite's own file first. */
function inOrder(problems: readonly Problem[], file: string): Problem[] {
  return [...problems.filter((one) => one.file === file), ...problems.filter((one) => one.file !== file)];
}
