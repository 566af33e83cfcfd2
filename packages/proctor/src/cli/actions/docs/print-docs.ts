// `proctor docs`: the pages of the documentation, which come with the package, so that a message can point to one.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProctorError } from "../../../core/errors.ts";
import { suggest } from "../../../core/suggest.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable } from "../../terminal/table.ts";

const KINDS = ["guides", "reference"] as const;

interface Page {
  name: string;
  kind: string;
  title: string;
  text: string;
}

export async function printDocs(name: string | undefined, { io }: CommandContext): Promise<number> {
  const pages = await readPages();
  const screen = createScreen(io);
  if (name === undefined) {
    const columns = [
      { title: "PAGE", cell: (page: Page) => page.name },
      { title: "KIND", cell: (page: Page) => page.kind },
      { title: "TITLE", cell: (page: Page) => page.title, minWidth: 10 },
    ];
    screen.print(...renderTable(columns, pages, { width: screen.width, paintTitle: screen.paint.dim }));
    screen.print("", "print one: proctor docs <page>");
    return 0;
  }
  const wanted = name.replace(/\.md$/, "");
  const page = pages.find((one) => one.name === wanted || `${one.kind}/${one.name}` === wanted);
  if (page === undefined) {
    const similar = suggest(
      wanted,
      pages.map((one) => one.name),
    );
    const next = similar === undefined ? "see what there is: proctor docs" : `did you mean ${similar}?`;
    throw new ProctorError("USAGE", `there is no page "${name}"\n${next}`);
  }
  screen.print(page.text.trimEnd());
  return 0;
}

async function readPages(): Promise<Page[]> {
  const folder = docsFolder();
  const pages: Page[] = [];
  for (const kind of KINDS) {
    const files = (await readdir(join(folder, kind))).filter((file) => file.endsWith(".md")).sort();
    for (const file of files) {
      const text = await readFile(join(folder, kind, file), "utf8");
      const title = /^# (.*)$/m.exec(text)?.[1] ?? "";
      pages.push({ name: file.replace(/\.md$/, ""), kind, title, text });
    }
  }
  return pages;
}

/** Finds the documentation inside the package or, in a checkout, in the repository. */
function docsFolder(): string {
  const places = ["../../../../docs", "../../../../../../docs"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = places.find((place) => existsSync(join(place, "reference")));
  if (found !== undefined) return found;
  throw new ProctorError("FILE_UNREADABLE", "the documentation is not installed with this package");
}
