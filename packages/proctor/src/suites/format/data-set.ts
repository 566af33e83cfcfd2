// `data`: the rows of a file, or those that stand in the suite itself. A file is read once, however many tests use it.
import { join, dirname, extname, isAbsolute, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import type { DataEntry } from "./parameter-schema.ts";
import { labelsOf, type ParameterSource } from "./parameters.ts";
import { DATA_FORMATS, readRows, type Rows } from "./read-rows.ts";
import type { Source } from "./source.ts";
import type { Report } from "./template.ts";

export interface DataSets {
  /** Resolves with undefined when the entry cannot be used, which has been reported. */
  load(entry: DataEntry, source: Source, report: Report): Promise<ParameterSource | undefined>;
}

/** Problems inside the files go to `problems`, those of the entry to its `report`. */
export function createDataSets(problems: Problem[]): DataSets {
  const read = new Map<string, Promise<Rows | string>>();

  async function readFile(
    file: string,
    shown: string,
    limit: number,
    offset: number,
  ): Promise<Rows | string> {
    try {
      const { problems: found, ...rows } = await readRows({ file, shown, limit, offset });
      problems.push(...found);
      return found.length > 0 ? "" : rows;
    } catch (error) {
      return reasonOf(error);
    }
  }

  return {
    async load(entry, source, report) {
      if (Array.isArray(entry)) return rowSource(entry, "the data", (index) => `row ${index + 1}`, 0);
      const { file: name, limit = Infinity, offset = 0 } = entry;
      if (!DATA_FORMATS.includes(extname(name).toLowerCase())) {
        report([], `${quote(name)} is no data set`, `its name ends in ${DATA_FORMATS.join(", ")}`);
        return undefined;
      }
      const file = resolve(source.folder, name);
      const shown = isAbsolute(name) ? name : join(dirname(source.file), name);
      const key = `${file} ${limit} ${offset}`;
      const pending = read.get(key) ?? readFile(file, shown, limit, offset);
      read.set(key, pending);
      const rows = await pending;
      if (typeof rows !== "string") {
        const { lines } = rows;
        const isJson = extname(name).toLowerCase() === ".json";
        const origin = (index: number): string =>
          `row ${index + offset + 1} (${shown}${isJson ? "" : `:${lines[index]}`})`;
        return rowSource(rows.rows, shown, origin, offset);
      }
      if (rows !== "") report([], `${quote(name)} ${rows}`, "the path is taken from the folder of this file");
      return undefined;
    },
  };
}

function rowSource(
  rows: readonly JsonObject[],
  title: string,
  origin: (index: number) => string,
  offset: number,
): ParameterSource {
  const labels = labelsOf(
    rows.map((row) => row["id"]),
    (index) => String(index + offset + 1),
  );
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  return {
    title,
    names,
    size: rows.length,
    at(index) {
      const row = rows[index] ?? {};
      return { values: row, row, label: labels[index] ?? "", origin: origin(index) };
    },
  };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return "does not exist";
  if (code === "EISDIR") return "is a directory, not a file";
  if (ProctorError.is(error)) return error.message.split("\n")[0]?.replace(/^.* {2}/, "") ?? "";
  return error instanceof Error && code === undefined ? error.message : `cannot be read (${String(code)})`;
}
