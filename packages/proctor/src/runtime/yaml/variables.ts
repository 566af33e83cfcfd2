// `${NAME}` and `${NAME:default}` in the strings of Proctor's files. `$${NAME}` stands for the text `${NAME}` itself.

export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /(\$?)\$\{([A-Z_][A-Z0-9_]*)(?::([^}]*))?\}/g;

interface Expansion {
  text: string;
  /** Names that have neither a value nor a default. */
  missing: string[];
}

export function expandVariables(text: string, variables: Variables): Expansion {
  const missing: string[] = [];
  const expanded = text.replace(
    REFERENCE,
    (whole: string, escape: string, name: string, fallback?: string) => {
      if (escape !== "") return whole.slice(1);
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
      if (value === undefined && fallback === undefined) missing.push(name);
      return value ?? fallback ?? whole;
    },
  );
  return { text: expanded, missing };
}
