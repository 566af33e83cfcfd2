// Whether a text is English enough for what is only known of English. Most of any English text is made of very few words.
import type { Prose } from "./prose.ts";

const COMMON = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does for from get had has have
   he her his how i if in into is it its just like make may more most must my new no not now of on one only or other our out
   over she should so some such than that the their them then there these they this those through to under up us use was we
   were what when where which while who will with would you your`.split(/\s+/),
);

const LEAST_WORDS = 10;
/** English prose has about half; other languages written in the same letters stay below a tenth. */
const LEAST_SHARE = 0.2;

/** Why nothing can be said of it; undefined when something can. */
export function notEnglish({ words }: Prose): string | undefined {
  if (words.length < LEAST_WORDS)
    return `${words.length === 0 ? "no" : `only ${words.length}`} words of prose, at least ${LEAST_WORDS} needed`;
  const common = words.filter((word) => COMMON.has(word.toLowerCase())).length;
  return common / words.length < LEAST_SHARE
    ? "the text has too few common English words, and only English is known here"
    : undefined;
}
