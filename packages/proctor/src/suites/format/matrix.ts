// `matrix`: every combination of its lists, without those that are excluded.
import { canonicalJson } from "../../core/canonical-json.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { didYouMean } from "../../core/suggest.ts";
import { quote } from "../../core/printable.ts";
import type { MatrixEntry } from "./parameter-schema.ts";
import { labelsOf, type Choice, type ParameterSource } from "./parameters.ts";
import type { Report } from "./template.ts";

interface Axis {
  name: string;
  values: readonly Json[];
  labels: readonly string[];
}

/** Problems are reported at paths inside the matrix. */
export function createMatrix(entry: MatrixEntry, report: Report): ParameterSource {
  const { exclude = [], ...lists } = entry;
  const axes = Object.entries(lists).map(([name, values]): Axis => {
    findTwice(values, (index) => report([name, index], `this value is here twice`));
    return { name, values, labels: labelsOf(values, (index) => `#${index + 1}`) };
  });
  if (axes.length === 0) report([], "the matrix is empty", "write: matrix: {language: [de, fr]}");
  const excluded = exclude.map((rule, index) => excludeRule(rule, index, axes, report));
  const size = axes.reduce((product, { values }) => product * values.length, 1);
  return {
    title: "the matrix",
    names: new Set(axes.map(({ name }) => name)),
    size,
    at(number) {
      const choice = choose(axes, number);
      return excluded.some((isMeant) => isMeant(choice)) ? undefined : choice;
    },
  };
}

function choose(axes: readonly Axis[], number: number): Choice {
  const picked: [axis: Axis, index: number][] = [];
  let rest = number;
  for (const axis of [...axes].reverse()) {
    picked.unshift([axis, rest % axis.values.length]);
    rest = Math.floor(rest / axis.values.length);
  }
  const label = picked.map(([{ name, labels }, index]) => `${name}=${labels[index]}`).join(",");
  return {
    values: Object.fromEntries(picked.map(([{ name, values }, index]) => [name, values[index]])),
    label,
    origin: label,
  };
}

/** Reports a rule that can never apply, because a combination would run that the author wanted to exclude. */
function excludeRule(
  rule: Record<string, Json>,
  index: number,
  axes: readonly Axis[],
  report: Report,
): (choice: Choice) => boolean {
  const wanted = Object.entries(rule).map(([name, value]) => [name, canonicalJson(value)] as const);
  if (wanted.length === 0)
    report(["exclude", index], "this would exclude everything", "name at least one value");
  for (const [name, text] of wanted) {
    const axis = axes.find((one) => one.name === name);
    const names = axes.map((one) => one.name);
    if (!axis) {
      const hint = didYouMean(name, names, `known here: ${names.join(", ")}`);
      report(["exclude", index, name], `the matrix has no ${quote(name)}`, hint);
    } else if (!axis.values.some((value) => canonicalJson(value) === text)) {
      report(["exclude", index, name], `${quote(name)} never has this value`);
    }
  }
  return ({ values }) => wanted.every(([name, text]) => sameAs(values[name], text));
}

function sameAs(value: Json | undefined, text: string): boolean {
  return value !== undefined && canonicalJson(value) === text;
}

function findTwice(values: readonly Json[], report: (index: number) => void): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    // A number and a text that look alike are two values; their ids differ by number.
    const key = isJsonObject(value) ? canonicalJson(value) : JSON.stringify(value);
    if (seen.has(key)) report(index);
    seen.add(key);
  }
}
