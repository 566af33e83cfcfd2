// What a simulated user must not say. Such a fault is the model's that plays the user, never the agent's.
const MAX_CHARS = 20_000;
/** Number of words from which on saying the goal gives it away; a shorter goal may be said by chance. */
const MIN_GOAL_WORDS = 4;
/** Number of times that the user may say the same in a row, though the agent says something else each time. */
const MAX_REPEATED = 3;

const OUT_OF_ROLE = [
  /\bas an? (?:ai|artificial intelligence|language model|large language model)\b/i,
  /\bi(?:'|’)?(?: a)?m (?:just )?an? (?:ai|artificial intelligence|language model|large language model|virtual assistant)\b/i,
  /\bhow (?:can|may) i (?:help|assist) you\b/i,
  /\bi (?:can(?:no|')t|can’t|won(?:'|’)t|am unable to) (?:role-?play|play (?:a|the|this) (?:user|person|role|part)|pretend)\b/i,
  /^\s*(?:assistant|agent|ai|system)\s*:/im,
];

export interface Exchange {
  heard: string;
  said: string;
}

/** Says what is wrong with what the simulated user said; undefined when nothing is. */
export function faultOf(
  said: string,
  goal: string,
  before: readonly Exchange[],
  heard: string,
): string | undefined {
  if (said.trim() === "") return "it said nothing";
  if (said.length > MAX_CHARS) return `it said more than ${MAX_CHARS} characters at once`;
  if (OUT_OF_ROLE.some((expression) => expression.test(said))) return "it fell out of its role as the user";
  const words = plain(goal);
  if (words.split(" ").length >= MIN_GOAL_WORDS && plain(said).includes(words)) {
    return "it gave its goal away word by word";
  }
  if (repeats(said, before, heard)) return `it said the same ${MAX_REPEATED} times, whatever it heard`;
  return undefined;
}

/** An agent that repeats itself gets the same answer, which is no fault of the user. */
function repeats(said: string, before: readonly Exchange[], heard: string): boolean {
  const last = before.slice(1 - MAX_REPEATED);
  const isSame = last.length === MAX_REPEATED - 1 && last.every((one) => plain(one.said) === plain(said));
  return isSame && new Set([...last.map((one) => plain(one.heard)), plain(heard)]).size === MAX_REPEATED;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
