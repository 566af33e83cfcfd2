// The agents that every terminal task has: one that types its solution, and one that does nothing.
const BUILT_IN = new Set(["oracle", "nop"]);

/** Returns the address of a built-in agent such as `oracle`; any other name as it is. */
export function builtinAgent(name: string): string {
  return BUILT_IN.has(name) ? `term+builtin:${name}` : name;
}
