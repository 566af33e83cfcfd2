// Small things that this browser remembers: the theme, saved filters, what is hidden. Never data of runs.

export function readStored<T>(name: string, check: (value: unknown) => value is T): T | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`proctor.${name}`) ?? "null");
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: unknown): void {
  try {
    localStorage.setItem(`proctor.${name}`, JSON.stringify(value));
  } catch {
    // A full or forbidden storage only forgets.
  }
}
