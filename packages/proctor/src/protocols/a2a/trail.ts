// Where a walk through a message stands: `message.parts[0].url`. What the walk finds there is the business of its owner.

export interface Trail {
  enter(key: string | number): void;
  leave(): void;
  /** Returns the path of the current position, or of a field there. */
  path(field?: string | number): string;
}

/** `root` is the name of the whole value; the path of a field of an unnamed value is the field's name. */
export function createTrail(root: string = ""): Trail {
  const keys: (string | number)[] = [];
  return {
    enter: (key) => void keys.push(key),
    leave: () => void keys.pop(),
    path(field) {
      let path = root;
      for (const key of field === undefined ? keys : [...keys, field]) {
        if (typeof key === "number") path += `[${key}]`;
        else path += path === "" ? key : `.${key}`;
      }
      return path;
    },
  };
}
