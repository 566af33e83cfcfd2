// Part of bundling: in a module that was moved into a bundle, `import.meta.url` is still the module's own address.
import { relative } from "node:path";
import type { Plugin } from "rolldown";

/** Changes the modules below `sources`, for a bundle that is written to `folder`. */
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
