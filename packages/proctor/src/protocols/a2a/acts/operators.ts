// The operators of ACTS, one row each: which arguments they take, and what they say about a value. Pure, but for the limit on patterns.
import { showValue } from "../../../conformance/finding.ts";
import type { Json } from "../../../core/json.ts";
import { withinCpuTime } from "../../../runtime/cpu-limit.ts";
import type { Mismatch } from "./match.ts";

interface OperatorDeps {
  match: (assertion: Json, value: Json | undefined, path: string) => Mismatch | undefined;
  mismatch: (path: string, expected: string, value: Json | undefined) => Mismatch;
}

export interface Operator {
  fits(argument: Json): boolean;
  check(argument: Json, value: Json | undefined, path: string, deps: OperatorDeps): Mismatch | undefined;
}

const TYPES: ReadonlySet<string> = new Set(["string", "number", "boolean", "array", "object", "null"]);

function typeOf(value: Json | undefined): string {
  if (value === null) return "null";
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "array" : typeof value;
}

const isText = (argument: Json): argument is string => typeof argument === "string";
const isNumber = (argument: Json): argument is number => typeof argument === "number";
const isCount = (argument: Json): argument is number => Number.isInteger(argument) && Number(argument) >= 0;
const isList = (argument: Json): argument is Json[] => Array.isArray(argument) && argument.length > 0;
const isTrue = (argument: Json): argument is true => argument === true;

/** Makes an operator that a value satisfies or not. `expected` says in words what it wants. */
function simple<Argument extends Json>(
  fits: (argument: Json) => argument is Argument,
  expected: (argument: Argument) => string,
  holds: (argument: Argument, value: Json | undefined) => boolean,
): Operator {
  return {
    fits,
    check(argument, value, path, { mismatch }) {
      // Only arguments that fit get here.
      if (!fits(argument) || holds(argument, value)) return undefined;
      return mismatch(path, expected(argument), value);
    },
  };
}

const ofText = (words: string, holds: (value: string, argument: string) => boolean): Operator =>
  simple(
    isText,
    (argument) => `a text that ${words} ${showValue(argument)}`,
    (argument, value) => typeof value === "string" && holds(value, argument),
  );

const ofNumber = (words: string, holds: (value: number, argument: number) => boolean): Operator =>
  simple(
    isNumber,
    (argument) => `a number ${words} ${argument}`,
    (argument, value) => typeof value === "number" && holds(value, argument),
  );

const ofLength = (words: string, holds: (length: number, argument: number) => boolean): Operator =>
  simple(
    isCount,
    (argument) => `a list of ${words} ${argument}`,
    (argument, value) => Array.isArray(value) && holds(value.length, argument),
  );

const isPattern = (argument: Json): argument is string => {
  if (typeof argument !== "string") return false;
  try {
    return new RegExp(argument).source !== "";
  } catch {
    return false;
  }
};

export const OPERATORS: Readonly<Record<string, Operator>> = {
  type: simple(
    (argument): argument is string => isText(argument) && TYPES.has(argument),
    (argument) => (argument === "null" ? "null" : `of type ${argument}`),
    (argument, value) => typeOf(value) === argument,
  ),
  exists: simple(
    isTrue,
    () => "there",
    (_, value) => value !== undefined,
  ),
  absent: simple(
    isTrue,
    () => "absent",
    (_, value) => value === undefined,
  ),
  contains: ofText("contains", (value, argument) => value.includes(argument)),
  starts_with: ofText("begins with", (value, argument) => value.startsWith(argument)),
  ends_with: ofText("ends with", (value, argument) => value.endsWith(argument)),
  matches: simple(
    isPattern,
    (argument) => `a text like /${argument}/`,
    (argument, value) =>
      typeof value === "string" && withinCpuTime("the pattern", () => new RegExp(argument).test(value)),
  ),
  gt: ofNumber("above", (value, argument) => value > argument),
  gte: ofNumber("of at least", (value, argument) => value >= argument),
  lt: ofNumber("below", (value, argument) => value < argument),
  lte: ofNumber("of at most", (value, argument) => value <= argument),
  count: ofLength("exactly", (length, argument) => length === argument),
  count_gte: ofLength("at least", (length, argument) => length >= argument),
  count_lte: ofLength("at most", (length, argument) => length <= argument),
  one_of: some("one of"),
  any_of: some("any of"),
  all_of: {
    fits: isList,
    check: (argument, value, path, { match }) =>
      isList(argument)
        ? argument.map((each) => match(each, value, path)).find((found) => found !== undefined)
        : undefined,
  },
  not: {
    fits: (argument) => argument !== null,
    check: (argument, value, path, { match, mismatch }) =>
      match(argument, value, path) ? undefined : mismatch(path, `not ${showValue(argument)}`, value),
  },
  /** A mapping is matched by each element, a list by the first elements in order. A list without elements proves nothing. */
  items: {
    fits: (argument) => typeof argument === "object" && argument !== null,
    check(argument, value, path, { match, mismatch }) {
      if (!Array.isArray(value) || value.length === 0) return mismatch(path, "a list with elements", value);
      if (Array.isArray(argument)) return match(argument, value, path);
      return value
        .map((each, index) => match(argument, each, `${path}[${index}]`))
        .find((found) => found !== undefined);
    },
  },
};

function some(words: string): Operator {
  return {
    fits: isList,
    check(argument, value, path, { match, mismatch }) {
      if (!isList(argument)) return undefined;
      const isOne = argument.some((each) => match(each, value, path) === undefined);
      return isOne ? undefined : mismatch(path, `${words} ${showValue(argument)}`, value);
    },
  };
}
