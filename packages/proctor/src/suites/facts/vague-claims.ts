// Claims that name nobody who could be asked: a sign of invention, and no proof of it. English only.

const VAGUE = [
  /\b(?:many|most|some|numerous|leading) (?:people|experts|scientists|researchers|studies|analysts|sources)\b/gi,
  /\b(?:studies|research|experts|evidence|surveys) (?:have |has )?(?:shows?|shown|suggests?|suggested|proves?|proven|agree|say|indicates?)\b/gi,
  /\bit is (?:well[- ]known|widely (?:known|accepted|believed)|commonly (?:known|believed))\b/gi,
  /\b(?:as everyone knows|everybody knows|needless to say)\b/gi,
];

export function vagueClaims(text: string, limit = 20): string[] {
  const found = new Set<string>();
  for (const expression of VAGUE) {
    for (const [match] of text.matchAll(expression)) {
      if (found.size >= limit) return [...found];
      found.add(match.toLowerCase());
    }
  }
  return [...found];
}
