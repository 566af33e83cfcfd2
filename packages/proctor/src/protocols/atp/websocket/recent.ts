// The most recent values, up to a limit: older ones are forgotten.

export interface Recent {
  add(value: string): void;
  has(value: string): boolean;
  readonly size: number;
}

export function createRecent(limit: number): Recent {
  const values = new Set<string>();
  return {
    add(value) {
      values.delete(value);
      values.add(value);
      if (values.size <= limit) return;
      // A set gives its values in the order in which they came.
      const [oldest] = values;
      if (oldest !== undefined) values.delete(oldest);
    },
    has: (value) => values.has(value),
    get size() {
      return values.size;
    },
  };
}
