// Part of bundling: a module that was moved into a bundle still means its own place by `import.meta.url`.
import { relative } from "node:path";
import type { Plugin } from "rolldown";

/** For modules below `sources`, in a bundle that is written to `folder`. */
export function ownAddress(sources: string, folder: string): Plugin {
  return {
    name: "own-address",
    transform(code, id) {
      if (!id.startsWith(sources) || !code.includes("import.meta.url")) return null;
      const place = JSON.stringify(relative(folder, id));
      return { code: code.replaceAll("import.meta.url", `new URL(${place}, import.meta.url).href`) };
    },
  };
}
