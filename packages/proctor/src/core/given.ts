// Objects without the keys that have no value.

type Empty = null | undefined;

type Given<T> = { [K in keyof T as Extract<T[K], Empty> extends never ? K : never]: T[K] } & {
  [K in keyof T as Extract<T[K], Empty> extends never ? never : K]?: Exclude<T[K], Empty>;
};

/** The object without keys that are null or undefined: people and other platforms write null for an absent key. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value != null)) as Given<T>;
}
