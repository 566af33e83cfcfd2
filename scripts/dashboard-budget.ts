// The sizes of the dashboard's pages and their limits: script and style, compressed with gzip.
import type { Manifest } from "vite";

export interface Weights {
  /** Number of bytes that every page loads first. */
  first: number;
  /** Number of bytes of each page, including everything that it may load later, by the name of its source file. */
  pages: Record<string, number>;
}

export const FIRST_LOAD_BYTES = 70_000;
export const PAGE_BYTES = 150_000;

const ENTRY = "index.html";

export function pageWeights(manifest: Manifest, sizeOf: (file: string) => number): Weights {
  const entry = manifest[ENTRY];
  if (entry === undefined) throw new Error(`the manifest has no ${ENTRY}`);
  const weigh = (keys: ReadonlySet<string>): number => {
    const files = new Set([...keys].flatMap((key) => filesOf(manifest, key)));
    return [...files].reduce((sum, file) => sum + sizeOf(file), 0);
  };
  const first = closure(manifest, [ENTRY], false);
  const pages = (entry.dynamicImports ?? []).map((key) => [
    key,
    weigh(new Set([...first, ...closure(manifest, [key], true)])),
  ]);
  return { first: weigh(first), pages: Object.fromEntries(pages) as Record<string, number> };
}

export function overBudget({ first, pages }: Weights): string[] {
  return [
    ...(first > FIRST_LOAD_BYTES
      ? [`the dashboard's first load has ${first} bytes, and may have ${FIRST_LOAD_BYTES}`]
      : []),
    ...Object.entries(pages)
      .filter(([, bytes]) => bytes > PAGE_BYTES)
      .map(([page, bytes]) => `${page} has ${bytes} bytes with what it loads, and may have ${PAGE_BYTES}`),
  ];
}

function filesOf(manifest: Manifest, key: string): string[] {
  const chunk = manifest[key];
  return chunk === undefined ? [] : [chunk.file, ...(chunk.css ?? [])];
}

/** Returns the chunks that the given ones need; with `later`, also those that they load on demand. Pages do not count as parts of the entry. */
function closure(manifest: Manifest, keys: readonly string[], later: boolean): Set<string> {
  const found = new Set<string>();
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {};
    queue.push(...imports, ...(later && key !== ENTRY ? dynamicImports : []));
  }
  return found;
}
