// The numbers from 0 to below `count` in an order that starts anywhere and leaves none out, without a list of them: whoever needs a few
// pays for a few. Every number is as likely as any other to be first; the steps between them are equal, and random too.

/** Returns the next number at each call; after `count` calls it begins again. */
export function drawOrder(count: number, random: () => number): () => number {
  const step = stepThatMeetsAll(count, random);
  let next = Math.floor(random() * count);
  return () => {
    const drawn = next;
    next = (next + step) % count;
    return drawn;
  };
}

/** A step with no divisor in common with the count comes to every number before it comes back. */
function stepThatMeetsAll(count: number, random: () => number): number {
  let step = 1 + Math.floor(random() * (count - 1));
  while (divisorOf(step, count) > 1) step = (step % count) + 1;
  return step;
}

function divisorOf(a: number, b: number): number {
  return b === 0 ? a : divisorOf(b, a % b);
}
