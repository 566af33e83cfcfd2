// Whether an English sentence is in the passive voice: a form of "to be" or "to get", maybe an adverb, then a participle. A
// heuristic: a participle that is used as an adjective is counted, too, unless it is one of those that usually are.

const AUXILIARIES = new Set(
  "am is are was were be been being get gets got gotten getting isn't aren't wasn't weren't".split(" "),
);
const BETWEEN = new Set(
  "not never also always often already only just still ever been being now then thus soon".split(" "),
);

const IRREGULAR = new Set(
  `beaten begun bent bet bitten blown borne bought bound bred broken brought built burnt burst caught chosen cut dealt done
   drawn driven dug eaten fed felt forbidden forgiven forgotten fought found frozen given ground grown heard held hidden hit
   hung hurt kept known laid led left lent let lit lost made meant met mistaken paid put quit read ridden run said seen
   sent set sewn shaken shed shot shown shut slain sold sought spent split spoken spread stolen struck stuck sung sunk swept
   sworn taken taught thought thrown told torn understood upheld withheld woken won worn wound woven written rewritten
   overcome undertaken overridden rebuilt`.split(/\s+/),
);

/** In -ed, and no participle, or nearly always an adjective. */
const ADJECTIVES = new Set(
  `red bed shed need indeed hundred sacred naked wicked rugged excited interested tired married worried pleased scared bored
   confused surprised supposed used experienced talented gifted detailed advanced limited complicated dedicated concerned
   related unrelated armed aged beloved exceed proceed succeed feed speed breed seed weed`.split(/\s+/),
);

export function isPassive(words: readonly string[]): boolean {
  const lower = words.map((word) => word.toLowerCase());
  return lower.some((word, index) => isAuxiliary(word) && isParticiple(nextVerb(lower, index + 1)));
}

function isAuxiliary(word: string): boolean {
  // "It's built", "they're sold".
  return AUXILIARIES.has(word) || /^(?:it|he|she|that|they|we|you)'(?:s|re)$/.test(word);
}

function nextVerb(words: readonly string[], from: number): string {
  let index = from;
  while (index < from + 3 && isBetween(words[index] ?? "")) index++;
  return words[index] ?? "";
}

const isBetween = (word: string): boolean => BETWEEN.has(word) || (word.length > 4 && word.endsWith("ly"));

function isParticiple(word: string): boolean {
  return IRREGULAR.has(word) || (word.length > 3 && word.endsWith("ed") && !ADJECTIVES.has(word));
}
