// The tone of an English text by the words that mark it. A heuristic: it counts, and understands nothing.
import type { Prose } from "./prose.ts";

export const TONES = ["professional", "casual", "formal", "friendly"] as const;
type Tone = (typeof TONES)[number];

const set = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

const SLANG = set(
  `yeah yep nope gonna wanna gotta kinda sorta dunno hey lol omg btw wow dude guys stuff cool awesome crap damn yay ok okay
   super totally literally`,
);
const STIFF = set(
  `hereby herein hereto thereof therein thereby whereby whereas wherein aforementioned henceforth notwithstanding pursuant
   shall accordingly furthermore moreover nevertheless nonetheless consequently subsequently therefore thus hence respectively
   regarding concerning upon`,
);
const BUSINESS = set(
  `analysis analyze assessment recommend recommends recommended recommendation recommendations objective objectives requirement
   requirements implement implements implementation evaluate evaluates evaluation approach approaches ensure ensures process
   results evidence report review impact strategy performance provide provides include includes based additionally however
   therefore overall specifically current significant data quality customers market`,
);
const WARM = set(
  `please thanks thank welcome glad happy hope love enjoy great wonderful lovely nice appreciate together help helpful excited
   delighted congratulations sorry friend friends feel free cheers`,
);
const COLD = set(
  `unacceptable refuse refused demand failure inadequate unfortunately prohibited mandatory comply immediately`,
);
const PERSONAL = set("you your yours you're you'll we us our we're we'll let's");

interface Counts {
  slang: number;
  stiff: number;
  business: number;
  warm: number;
  cold: number;
  personal: number;
  contractions: number;
  exclamations: number;
}

/** The score of each tone from 0 to 1: the share of marks that speak for it, counting one on either side in advance. */
export function measureTones({ words, raw }: Prose): Record<Tone, number> {
  const lower = words.map((word) => word.toLowerCase());
  const among = (known: ReadonlySet<string>): number => lower.filter((word) => known.has(word)).length;
  const counts: Counts = {
    slang: among(SLANG),
    stiff: among(STIFF),
    business: among(BUSINESS),
    warm: among(WARM),
    cold: among(COLD),
    personal: among(PERSONAL),
    contractions: lower.filter((word) => /[a-z]'(?:s|t|re|ve|ll|d|m)$/.test(word)).length,
    exclamations: raw.filter((sentence) => /!|\p{Extended_Pictographic}/u.test(sentence)).length,
  };
  const { slang, stiff, business, warm, cold, personal, contractions, exclamations } = counts;
  return {
    professional: share(business + stiff, 2 * slang + exclamations),
    casual: share(2 * slang + contractions + exclamations, 2 * stiff),
    formal: share(2 * stiff, 2 * slang + contractions + exclamations),
    friendly: share(2 * warm + personal + exclamations, 2 * cold + stiff),
  };
}

function share(marksFor: number, marksAgainst: number): number {
  return (marksFor + 1) / (marksFor + marksAgainst + 2);
}
