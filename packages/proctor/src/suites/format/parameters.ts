// What multiplies a test: a matrix, a data set, or several of them. Their product is counted before it is built.
import type { Json, JsonObject } from "../../core/json.ts";

/** One way to fill in a test. */
export interface Choice {
  values: JsonObject;
  /** Distinguishes the case in its id: `language=de`, `3`. */
  label: string;
  /** The origin of its values, for messages: `row 3 (cases.csv:4)`. */
  origin?: string;
  /** The whole row of a data set. */
  row?: JsonObject;
}

export interface ParameterSource {
  /** The name of the source in messages: `the matrix`, `cases.csv`. */
  title: string;
  names: ReadonlySet<string>;
  size: number;
  /** The choice at the index; undefined when it is excluded. */
  at(index: number): Choice | undefined;
}

export function productOf(sources: readonly ParameterSource[]): number {
  return sources.reduce((product, { size }) => product * size, 1);
}

/** The first name that two sources have: it would be ambiguous. */
export function findClash(
  sources: readonly ParameterSource[],
): { name: string; first: string; second: string } | undefined {
  const seen = new Map<string, string>();
  for (const { names, title } of sources) {
    for (const name of names) {
      const first = seen.get(name);
      if (first !== undefined) return { name, first, second: title };
      seen.set(name, title);
    }
  }
  return undefined;
}

/** Every combination; the last source changes fastest. */
export function* combine(sources: readonly ParameterSource[]): Generator<Choice, void> {
  const total = productOf(sources);
  for (let number = 0; number < total; number++) {
    const choices: Choice[] = [];
    let rest = number;
    for (const source of [...sources].reverse()) {
      const choice = source.at(rest % source.size);
      rest = Math.floor(rest / source.size);
      if (choice) choices.unshift(choice);
    }
    if (choices.length === sources.length) yield join(choices);
  }
}

function join(choices: readonly Choice[]): Choice {
  const [first] = choices;
  if (first && choices.length === 1) return first;
  const rows = choices.flatMap(({ row }) => (row ? [row] : []));
  const origins = choices.flatMap(({ origin }) => (origin === undefined ? [] : [origin]));
  return {
    values: Object.assign({}, ...choices.map(({ values }) => values)) as JsonObject,
    label: choices.map(({ label }) => label).join(","),
    ...(rows.length > 0 && { row: Object.assign({}, ...rows) as JsonObject }),
    ...(origins.length > 0 && { origin: origins.join(", ") }),
  };
}

const MAX_LABEL_CHARS = 40;

/** The value as part of an id, or undefined when it would be hard to read there. */
function labelOf(value: Json | undefined): string | undefined {
  if (typeof value === "object" || value === undefined) return undefined;
  const text = String(value);
  return text.length > 0 && text.length <= MAX_LABEL_CHARS && /^[^\s[\],=]+$/.test(text) ? text : undefined;
}

/** The values as parts of ids; numbers where they are not all short, simple and different. */
export function labelsOf(
  values: readonly (Json | undefined)[],
  numberOf: (index: number) => string,
): string[] {
  const labels = values.map(labelOf);
  const good = !labels.includes(undefined) && new Set(labels).size === labels.length;
  return labels.map((label, index) => (good && label !== undefined ? label : numberOf(index)));
}
