// Which tests are meant by what a user typed: an id, an id whose rows are all meant, a pattern, or part of a name.
import { ProctorError } from "../core/errors.ts";
import { isLike } from "../core/is-like.ts";
import { didYouMean } from "../core/suggest.ts";
import { quote } from "../core/printable.ts";
import type { SuiteTest } from "./suite.ts";

const LIST = "see what there is: proctor test --list <suite>";

/** The tests that the words mean. Throws USAGE for a word that means no test. */
export function chooseTests(tests: readonly SuiteTest[], words: readonly string[]): ReadonlySet<SuiteTest> {
  return new Set(words.flatMap((word) => testsMeantBy(word, tests)));
}

/** The most exact reading wins: an id does not select tests whose names contain it. */
function testsMeantBy(word: string, tests: readonly SuiteTest[]): readonly SuiteTest[] {
  const text = word.trim().toLowerCase();
  const readings: ((test: SuiteTest) => boolean)[] = [
    ({ id }) => id === word,
    ({ id }) => baseOf(id) === word,
    ({ id, name }) => word.includes("*") && [id, baseOf(id), name].some((one) => isLike(one, word)),
    ({ id, name }) => text !== "" && [id, name].some((one) => one.toLowerCase().includes(text)),
  ];
  for (const isMeant of readings) {
    const meant = tests.filter(isMeant);
    if (meant.length > 0) return meant;
  }
  const similar = didYouMean(word, [...tests.map(({ id }) => id), ...tests.map(({ id }) => baseOf(id))]);
  const next = similar === undefined ? LIST : `${similar}  ${LIST}`;
  throw new ProctorError("USAGE", `no test has the id ${quote(word)}, or a name with that in it\n   ${next}`);
}

/** Returns `refund` for `refund[late]`, which is one of its rows. */
function baseOf(id: string): string {
  return id.replace(/(?:\[[^[]*\])+$/s, "");
}

/** Throws USAGE for a tag that no test has. */
export function requireTag(tag: string, tests: readonly SuiteTest[]): void {
  const known = [...new Set(tests.flatMap((test) => test.tags))];
  if (known.includes(tag)) return;
  const names = known.slice(0, 20).map((one) => quote(one));
  const otherwise = known.length === 0 ? "no test has a tag" : `there are: ${names.join(", ")}`;
  throw new ProctorError(
    "USAGE",
    `no test has the tag ${quote(tag)}\n   ${didYouMean(tag, known, otherwise)}`,
  );
}
