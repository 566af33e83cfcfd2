// The numbers that a text states: with thousands set apart, with "million" behind, with a sign or a unit.

const SCALES: Record<string, number> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  b: 1e9,
  billion: 1e9,
  trillion: 1e12,
};

const NUMBER =
  /(?<![\p{L}\p{N}.,])(\d{1,3}(?:[,'\u00a0\u202f]\d{3})+|\d{1,18})(\.\d{1,12})?(?: ?(k|mn|bn|m|b|thousand|million|billion|trillion)(?!\p{L}))?/giu;

export function numbersIn(text: string): number[] {
  return Array.from(text.matchAll(NUMBER), ([, whole = "", fraction = "", scale = ""]) => {
    const number = Number(`${whole.replaceAll(/\D/g, "")}${fraction}`);
    return number * (SCALES[scale.toLowerCase()] ?? 1);
  });
}

const YEAR = /(?<![\p{L}\p{N}.,])[12]\d{3}(?![\p{L}\p{N}]|[.,]\d)/gu;

export function yearsIn(text: string): number[] {
  return Array.from(text.matchAll(YEAR), ([year]) => Number(year));
}

export function isYear(number: number): boolean {
  return Number.isInteger(number) && number >= 1000 && number < 3000;
}

export function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(b) * 1e-9;
}
