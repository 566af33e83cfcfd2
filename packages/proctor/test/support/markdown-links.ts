// Finds the markdown files of the repository, and the relative links in them that lead nowhere.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { all, headings, withoutFences } from "./markdown.ts";

const SKIPPED = new Set(["node_modules", "dist", ".git"]);

/** Relative to the root, with slashes. */
export function markdownFiles(root: string, folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(root, path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

/** As `file: link`. */
export function brokenLinks(root: string, file: string): string[] {
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  const text = withoutFences(read(file)).replaceAll(/`[^`\n]*`/g, "code");
  return all(text, /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? file : join(dirname(file), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !headings(read(target)).map(slug).includes(anchor);
    })
    .map((link) => `${file}: ${link}`);
}

/** As GitHub makes anchors. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
