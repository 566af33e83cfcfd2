// A hook of Node's module loader: an import of one of Proctor's sources loads what `npm run build` made of it.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCE = /^(file:.*\/packages\/proctor\/)src\/(.*)\.ts(?:\?.*)?$/;

export async function resolve(specifier, context, nextResolve) {
  const found = await nextResolve(specifier, context);
  const built = found.url.replace(SOURCE, "$1dist/$2.js");
  if (built === found.url) return found;
  if (!existsSync(fileURLToPath(built))) throw new Error(`${built} is missing: run npm run build first`);
  return { url: built, format: "module", shortCircuit: true };
}
