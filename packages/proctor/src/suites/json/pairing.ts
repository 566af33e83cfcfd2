// Gives each of some expectations a partner of its own among candidates, as many as possible.

/** For each of `expected` the index of its partner, or undefined. First come first served would strand some. */
export function pairUp<E, C>(
  expected: readonly E[],
  candidates: readonly C[],
  fits: (expected: E, candidate: C) => boolean,
): (number | undefined)[] {
  const partnerOf: (number | undefined)[] = candidates.map(() => undefined);
  const edges = expected.map((one) =>
    candidates.flatMap((other, index) => (fits(one, other) ? [index] : [])),
  );

  function place(index: number, tried: Set<number>): boolean {
    for (const candidate of edges[index] ?? []) {
      if (tried.has(candidate)) continue;
      tried.add(candidate);
      const holder = partnerOf[candidate];
      // Whoever has it may find another.
      if (holder !== undefined && !place(holder, tried)) continue;
      partnerOf[candidate] = index;
      return true;
    }
    return false;
  }

  for (const index of expected.keys()) place(index, new Set());
  const partners: (number | undefined)[] = expected.map(() => undefined);
  for (const [candidate, index] of partnerOf.entries()) if (index !== undefined) partners[index] = candidate;
  return partners;
}
