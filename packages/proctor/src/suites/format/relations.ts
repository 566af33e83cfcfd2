// What binds distant places of a suite together: names that must be unique, and names that must exist.
import { isJsonObject } from "../../core/json.ts";
import { suggest } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import { renderPlace } from "../../runtime/yaml/problem.ts";
import { inside, reporter, type Spot } from "./context.ts";
import type { ExpandedTest } from "./expand-tests.ts";
import type { Fragment } from "./include.ts";
import type { DeclaredAgent } from "./read-agents.ts";
import type { RowProblems } from "./row-problems.ts";

export function findDoubleAgents(agents: readonly DeclaredAgent[]): void {
  const first = new Map<string, Spot>();
  for (const { name, spot, multiplied } of agents) {
    if (name === undefined) continue;
    const before = first.get(name);
    if (!before) first.set(name, spot);
    else if (multiplied && isSame(before, spot)) {
      const hint = "put what the matrix changes into the name: {{ … }}";
      reporter(inside(spot, "name"))([], `several agents of this matrix are called ${quote(name)}`, hint);
    } else
      reporter(inside(spot, "name"))([], `agent ${quote(name)} is here twice`, otherPlace(before, "name"));
  }
}

export function findDoubleTests(tests: readonly ExpandedTest[]): void {
  const first = new Map<string, Spot>();
  for (const { raw, test, spot, choice } of tests) {
    const id = test?.id ?? (isJsonObject(raw) ? raw["id"] : undefined);
    if (typeof id !== "string") continue;
    const before = first.get(id);
    if (!before) first.set(id, spot);
    else if (choice && isSame(before, spot)) {
      const hint = `put more of it into the id: ${Object.keys(choice.values)
        .map((name) => `{{ ${name} }}`)
        .join(" ")}`;
      reporter(inside(spot, "id"))([], `several cases of this test are called ${quote(id)}`, hint);
    } else reporter(inside(spot, "id"))([], `test ${quote(id)} is here twice`, otherPlace(before, "id"));
  }
}

/** Tests and defaults may only name agents that the suite declares. */
export function findUnknownAgents(
  tests: readonly ExpandedTest[],
  fragments: readonly Fragment[],
  agents: readonly DeclaredAgent[],
  problems: RowProblems,
): void {
  const declared = [...new Set(agents.flatMap(({ name }) => (name === undefined ? [] : [name])))];
  const known = new Set(declared);
  const check = (names: unknown, spot: Spot): void => {
    if (!Array.isArray(names)) return;
    const seen = new Set<unknown>();
    for (const [index, name] of names.entries()) {
      if (typeof name !== "string") continue;
      const report = reporter(inside(spot, "agents", index));
      if (seen.has(name)) report([], `agent ${quote(name)} is named twice`);
      else if (!known.has(name)) {
        const similar = suggest(name, declared);
        report(
          [],
          `unknown agent ${quote(name)}`,
          similar === undefined ? `declare it under "agents"` : `did you mean ${quote(similar)}?`,
        );
      }
      seen.add(name);
    }
  };
  for (const { source, head } of fragments) {
    const { defaults } = head;
    // With a template in it, it is checked where it has been filled in: with the tests.
    if (isJsonObject(defaults) && !JSON.stringify(defaults["agents"] ?? null).includes("{{")) {
      check(defaults["agents"], { source, path: ["defaults"], problems });
    }
  }
  for (const { raw, test, spot } of tests) {
    check(test?.agents ?? (isJsonObject(raw) ? raw["agents"] : undefined), spot);
  }
}

function isSame(one: Spot, other: Spot): boolean {
  return one.source === other.source && one.path.join() === other.path.join();
}

function otherPlace({ source, path }: Spot, key: string): string {
  return `the first is at ${renderPlace(source.place([...path, key])).replace(/:$/, "")}`;
}
