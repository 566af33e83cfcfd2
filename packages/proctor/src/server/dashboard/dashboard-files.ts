// The built pages on disk: which files there are, their types, and the compressed forms that the build left next to them. Each is read when it
// is first asked for, and kept.
import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";

export interface DashboardFile {
  type: string;
  bytes: Uint8Array;
  /** Entity tag with its quotation marks. */
  etag: string;
  /** Content encoding: `br`, `gzip`, or undefined for the bytes as they are. */
  encoding: string | undefined;
}

export interface DashboardFiles {
  /** Resolves with the file of this name, in the best form that `acceptEncoding` allows; undefined where there is none. */
  read(name: string, acceptEncoding: string): Promise<DashboardFile | undefined>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

/** Compressed forms, the smallest first: how HTTP calls them, and how their files end. */
const FORMS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Returns undefined where nothing was built. The names are those of the folder: no request can reach outside it. */
export function openDashboardFiles(folder: string): DashboardFiles | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const names = new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => name.split(sep).join("/")),
  );
  const kept = new Map<string, Promise<DashboardFile>>();

  async function load(name: string, suffix: string, encoding: string | undefined): Promise<DashboardFile> {
    const bytes = await readFile(join(folder, name + suffix));
    const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    return { type: TYPES[extname(name)] ?? "application/octet-stream", bytes, etag, encoding };
  }

  return {
    async read(name, acceptEncoding) {
      if (!names.has(name) || !(extname(name) in TYPES)) return undefined;
      const [encoding, suffix = ""] =
        FORMS.find(([form, ending]) => accepts(acceptEncoding, form) && names.has(name + ending)) ?? [];
      const key = name + suffix;
      const found = kept.get(key) ?? load(name, suffix, encoding);
      kept.set(key, found);
      return found;
    },
  };
}

/** Whether the header names the encoding and does not rule it out with `q=0`. */
function accepts(header: string, encoding: string): boolean {
  return header
    .toLowerCase()
    .split(",")
    .some((entry) => {
      const [name, ...settings] = entry.split(";").map((part) => part.trim());
      return name === encoding && !settings.some((setting) => /^q=0(?:\.0*)?$/.test(setting));
    });
}
