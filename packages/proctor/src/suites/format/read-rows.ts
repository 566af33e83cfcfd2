// Reads the rows of a data set, line by line where the format allows it: a file may be far larger than a suite.
import { open } from "node:fs/promises";
import { extname } from "node:path";
import { TextDecoder } from "node:util";
import { isTooDeep } from "../../core/json-depth.ts";
import { findInexactNumbers } from "../../core/json-numbers.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { quote } from "../../core/printable.ts";
import type { Problem } from "../../runtime/yaml/problem.ts";
import { readText } from "../../runtime/yaml/read-text.ts";
import { parseYaml } from "../../runtime/yaml/yaml-source.ts";
import { createCsvReader, CsvError, type CsvRecord } from "./csv.ts";
import { MAX_CASES } from "./parameter-schema.ts";

const MAX_BYTES = 200 * 1024 * 1024;
const MAX_JSON_BYTES = 50 * 1024 * 1024;
const MAX_LINE_CHARS = 10_000_000;
/** The number of problems that are reported at most. */
const MAX_PROBLEMS = 50;

export interface Rows {
  rows: JsonObject[];
  /** The line on which each row begins. */
  lines: number[];
}

interface RowsRequest {
  file: string;
  /** The name of the file in messages. */
  shown: string;
  limit: number;
  offset: number;
}

export const DATA_FORMATS = [".csv", ".jsonl", ".ndjson", ".json", ".yaml", ".yml"];

/** Problems concern the content of the file. What keeps it from being read at all is thrown. */
export async function readRows(request: RowsRequest): Promise<Rows & { problems: Problem[] }> {
  const found: Rows & { problems: Problem[] } = { rows: [], lines: [], problems: [] };
  const problem = (line: number, message: string, hint?: string): void => {
    if (found.problems.length >= MAX_PROBLEMS) return;
    found.problems.push({ file: request.shown, line, col: 1, message, ...(hint !== undefined && { hint }) });
  };
  let seen = 0;
  let refused = false;
  /** Returns false when no more rows are wanted. */
  function take(row: unknown, line: number): boolean {
    if (found.problems.length >= MAX_PROBLEMS) return false;
    if (!isJsonObject(row)) problem(line, "a row must be a mapping (key: value)");
    else if (Object.hasOwn(row, "__proto__")) problem(line, `the name "__proto__" is not allowed`);
    else if (seen++ >= request.offset) {
      if (found.rows.length === MAX_CASES && request.limit > MAX_CASES) {
        if (!refused)
          problem(
            line,
            `there are more than ${MAX_CASES} rows`,
            `take a part of them: {file: …, limit: 1000}`,
          );
        refused = true;
        return false;
      }
      found.rows.push(row);
      found.lines.push(line);
    }
    return found.rows.length < request.limit;
  }
  switch (extname(request.file).toLowerCase()) {
    case ".csv":
      await readCsv(request.file, take, problem);
      break;
    case ".jsonl":
    case ".ndjson":
      await readLines(request.file, take, problem);
      break;
    case ".json":
      await readJson(request.file, take, problem);
      break;
    default:
      await readYaml(request, take, found.problems);
  }
  if (found.rows.length === 0 && found.problems.length === 0) {
    problem(1, seen === 0 ? "there are no rows" : `there are only ${seen} rows`);
  }
  return found;
}

type Take = (row: unknown, line: number) => boolean;
type Say = (line: number, message: string, hint?: string) => void;

async function readCsv(file: string, take: Take, say: Say): Promise<void> {
  const reader = createCsvReader();
  let header: string[] | undefined;
  const record = ({ cells, line }: CsvRecord): boolean => {
    if (!header) {
      header = cells;
      return checkHeader(header, line, say);
    }
    if (cells.length !== header.length) {
      const hint = `the first line names ${header.length}; put a cell that holds a comma in quotes`;
      say(line, `this row has ${cells.length} ${cells.length === 1 ? "cell" : "cells"}`, hint);
      return true;
    }
    const names = header;
    return take(Object.fromEntries(cells.map((cell, index) => [names[index], cell])), line);
  };
  try {
    for await (const text of readPieces(file, MAX_BYTES)) if (!reader.push(text).every(record)) return;
    reader.end().every(record);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    say(error.line, error.message, 'quotes go around the whole cell; inside, a quote is written twice: ""');
  }
}

function checkHeader(header: readonly string[], line: number, say: Say): boolean {
  const before = new Set<string>();
  for (const name of header) {
    if (name.trim() === "") say(line, "a column has no name", "the first line names the columns");
    else if (before.has(name))
      say(line, `the column ${quote(name)} is here twice`, "give each column its own name");
    else if (/[{}]/.test(name)) say(line, `the name ${quote(name)} holds a brace`);
    else {
      before.add(name);
      continue;
    }
    return false;
  }
  return true;
}

async function readLines(file: string, take: Take, say: Say): Promise<void> {
  let rest = "";
  let line = 0;
  const read = (text: string): boolean => {
    line += 1;
    return text.trim() === "" || take(parse(text, line, say), line);
  };
  for await (const piece of readPieces(file, MAX_BYTES)) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARS) return say(line + 1, "this line is longer than 10 MB");
    if (!lines.every(read)) return;
  }
  read(rest);
}

function parse(text: string, line: number, say: Say): unknown {
  if (isTooDeep(text)) {
    say(line, "nested too deeply");
    return {};
  }
  try {
    const row = JSON.parse(text) as unknown;
    for (const message of inexact(text)) say(line, message, IN_QUOTES);
    return row;
  } catch (error) {
    say(
      line,
      `this is no JSON: ${error instanceof Error ? error.message : ""}`,
      "each line holds one object",
    );
    return {};
  }
}

const IN_QUOTES = "put it in quotes to keep it as text";

function inexact(text: string): string[] {
  return findInexactNumbers(text).map(
    ({ path, source }) => `${path} is ${source}, which cannot be kept exactly`,
  );
}

async function readJson(file: string, take: Take, say: Say): Promise<void> {
  const pieces: string[] = [];
  for await (const piece of readPieces(file, MAX_JSON_BYTES)) pieces.push(piece);
  const text = pieces.join("");
  if (isTooDeep(text)) return say(1, "nested too deeply");
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    return say(1, `this is no JSON: ${error instanceof Error ? error.message : ""}`);
  }
  if (!Array.isArray(rows)) return say(1, "a data set is a list of objects", "write [ {…}, {…} ]");
  for (const message of inexact(text)) say(1, message, IN_QUOTES);
  rows.every((row: unknown) => take(row, 1));
}

async function readYaml({ file, shown }: RowsRequest, take: Take, problems: Problem[]): Promise<void> {
  const source = parseYaml(shown, await readText(file, shown), null);
  problems.push(...source.problems);
  if (source.problems.length > 0) return;
  if (!Array.isArray(source.value)) {
    problems.push({
      file: shown,
      line: 1,
      col: 1,
      message: "a data set is a list of mappings",
      hint: "begin each row with -",
    });
    return;
  }
  source.value.every((row: unknown, index) => take(row, source.valueAt([index]).line));
}

/** Decoded text; the byte order mark is left out. */
async function* readPieces(file: string, maxBytes: number): AsyncGenerator<string> {
  const handle = await open(file, "r");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let size = 0;
  try {
    for await (const chunk of handle.createReadStream({ autoClose: false, highWaterMark: 256 * 1024 })) {
      // A stream without an encoding yields buffers.
      const bytes = chunk as Uint8Array;
      size += bytes.byteLength;
      if (size > maxBytes) throw new Error(`is larger than ${maxBytes / 1024 / 1024} MB`);
      yield decode(decoder, bytes);
    }
    yield decode(decoder);
  } finally {
    await handle.close();
  }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new Error("is not UTF-8 text");
  }
}
