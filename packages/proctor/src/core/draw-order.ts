// The numbers from 0 to below `count` in an order that starts anywhere and leaves none out, without a list of them: whoever needs a few
// pays for a few. Every number is as likely as any other to be first; the steps between them are equal, and random too.

export function* drawOrder(count: number, random: () => number): Generator<number> {
  if (count === 0) return;
  const first = Math.floor(random() * count);
  const step = stepThatMeetsAll(count, random);
  for (let drawn = 0; drawn < count; drawn++) yield (first + drawn * step) % count;
}

/** A step with no divisor in common with the count comes to every number before it comes back. */
function stepThatMeetsAll(count: number, random: () => number): number {
  let step = 1 + Math.floor(random() * (count - 1));
  while (divisorOf(step, count) !== 1) step = (step % count) + 1;
  return step;
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b);
}
