// The agents that every terminal task has: one that types its solution, and one that does nothing.
const BUILT_IN = new Set(["oracle", "nop"]);

/** `oracle` as an address; anything else as it is. */
export function builtinAgent(name: string): string {
  return BUILT_IN.has(name) ? `term+builtin:${name}` : name;
}
