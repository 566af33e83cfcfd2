// Why results are not all that was asked for.

interface End {
  total: number;
  not_run: number;
  stopped?: string | null | undefined;
}

/** Returns undefined when the results are complete. */
export function incompleteBecause({ total, not_run: lacking, stopped }: End): string | undefined {
  if (lacking === 0 && stopped == null) return undefined;
  return `${stopped ?? "stopped"}, and ${lacking} of ${total} cases were not run`;
}
