// Patterns in which `*` stands for any text, as users write them for names.

export function isLike(name: string, pattern: string): boolean {
  const expression = pattern
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
    .join(".*");
  return new RegExp(`^${expression}$`, "s").test(name);
}
