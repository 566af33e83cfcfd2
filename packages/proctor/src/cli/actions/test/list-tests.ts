// `proctor test --list`: the tests that would run, and on which agents.
import type { Plan, PlannedCase } from "../../../suites/plan.ts";
import type { SuiteTest } from "../../../suites/suite.ts";
import type { CliIo } from "../../cli-io.ts";
import type { TestFlags } from "../../commands/test.ts";
import { plural } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";

interface ListedTest {
  test: SuiteTest;
  suite: string;
  agents: string[];
  runs: number;
}

export function listTests(plan: Plan, { json }: TestFlags, io: CliIo): number {
  const tests = testsOf(plan.cases);
  const screen = createScreen(io);
  if (json === true) {
    screen.printJson({ tests: tests.map(documentOf) });
    return 0;
  }
  const { paint, width } = screen;
  if (tests.length > 0)
    screen.print(...renderTable(columns(tests), tests, { width, paintTitle: paint.dim }), "");
  screen.print(`${plural(tests.length, "test")}, ${plural(plan.cases.length, "case")}`);
  return 0;
}

function testsOf(cases: readonly PlannedCase[]): ListedTest[] {
  const tests = new Map<SuiteTest, ListedTest>();
  for (const { test, suite, agent, runs } of cases) {
    const known = tests.get(test);
    if (known === undefined) tests.set(test, { test, suite: suite.name, agents: [agent.label], runs });
    else known.agents.push(agent.label);
  }
  return [...tests.values()];
}

function columns(tests: readonly ListedTest[]): Column<ListedTest>[] {
  const several = new Set(tests.map(({ suite }) => suite)).size > 1;
  return [
    { title: "ID", cell: ({ test }) => test.id, minWidth: 16 },
    { title: "NAME", cell: ({ test }) => test.name, minWidth: 16 },
    { title: "TAGS", cell: ({ test }) => test.tags.join(", "), minWidth: 8 },
    { title: "AGENTS", cell: ({ agents }) => agents.join(", "), minWidth: 12 },
    ...(several ? [{ title: "SUITE", cell: ({ suite }: ListedTest) => suite, minWidth: 10 }] : []),
  ];
}

function documentOf({ test, suite, agents, runs }: ListedTest): object {
  const { id, name, tags, file, line } = test;
  return { id, name, tags, suite, file, line, agents, runs };
}
