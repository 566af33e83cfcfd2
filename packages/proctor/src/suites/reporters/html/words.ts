// A list of different words that others refer to by place, so that a name that ten thousand cases share is written once.

export interface Words {
  index(word: string): number;
  list(): string[];
}

export function createWords(): Words {
  const known = new Map<string, number>();
  return {
    index(word) {
      const at = known.get(word) ?? known.size;
      known.set(word, at);
      return at;
    },
    list: () => [...known.keys()],
  };
}
