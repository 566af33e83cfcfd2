// The reporters of `proctor test`, each with the place it writes to. Places are opened before anything runs: a report
// that cannot be written is found out first, not last.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { suggest } from "../../core/suggest.ts";
import type { Reporter, Write } from "../../suites/reporter.ts";
import { consoleReporter } from "../../suites/reporters/console.ts";
import { githubReporter } from "../../suites/reporters/github.ts";
import { jsonReporter } from "../../suites/reporters/json.ts";
import { jsonlReporter } from "../../suites/reporters/jsonl.ts";
import { junitReporter } from "../../suites/reporters/junit.ts";
import { markdownReporter } from "../../suites/reporters/markdown.ts";
import { tapReporter } from "../../suites/reporters/tap.ts";
import type { CliIo } from "../cli-io.ts";
import { REPORTER_NAMES, type ReporterName } from "../commands/test.ts";
import { createPaint } from "../terminal/paint.ts";

export interface OpenReporters {
  reporters: Reporter[];
  close(): void;
}

interface Wanted {
  name: ReporterName;
  file: string | undefined;
}

export function openReporters(flags: readonly string[], io: CliIo): OpenReporters {
  const wanted = flags.map(parseReporter);
  if (wanted.filter(({ file }) => file === undefined).length > 1) {
    throw new ProctorError(
      "USAGE",
      "only one reporter can write to stdout\ngive the others a file: --reporter junit=report.xml",
    );
  }
  const descriptors: number[] = [];
  const close = () => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  };
  try {
    const reporters = wanted.map(({ name, file }) => {
      if (file === undefined) return createReporter(name, (text) => void io.stdout.write(text), io);
      const descriptor = openReport(name, file, io.cwd);
      descriptors.push(descriptor);
      return createReporter(name, writeTo(descriptor, file));
    });
    return { reporters, close };
  } catch (error) {
    close();
    throw error;
  }
}

function parseReporter(flag: string): Wanted {
  const at = flag.indexOf("=");
  const [word, file] = at === -1 ? [flag, undefined] : [flag.slice(0, at), flag.slice(at + 1)];
  const name = REPORTER_NAMES.find((known) => known === word);
  if (name === undefined) {
    const similar = suggest(word, REPORTER_NAMES);
    const next =
      similar === undefined ? `there are: ${REPORTER_NAMES.join(", ")}` : `did you mean ${similar}?`;
    throw new ProctorError("USAGE", `unknown reporter "${word}"\n${next}`);
  }
  if (file === "")
    throw new ProctorError(
      "USAGE",
      `--reporter ${name}= names no file\nfor example: --reporter ${name}=report.txt`,
    );
  return { name, file };
}

/** Only stdout can be a terminal. */
function createReporter(name: ReporterName, write: Write, io?: CliIo): Reporter {
  switch (name) {
    case "console":
      return consoleReporter({
        write,
        color: io !== undefined && createPaint(io.stdout, io.env).isColorSupported,
        live: io?.stdout.isTTY === true,
        columns: () => io?.stdout.columns ?? 80,
      });
    case "json":
      return jsonReporter({ write });
    case "jsonl":
      return jsonlReporter({ write });
    case "junit":
      return junitReporter({ write });
    case "markdown":
      return markdownReporter({ write });
    case "tap":
      return tapReporter({ write });
    case "github":
      return githubReporter({ write });
    default:
      return name satisfies never;
  }
}

function openReport(name: string, file: string, cwd: string): number {
  const path = resolve(cwd, file);
  try {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w");
  } catch (error) {
    throw unwritable(`--reporter ${name}=${file}`, error);
  }
}

function writeTo(descriptor: number, file: string): Write {
  return (text) => {
    try {
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      throw unwritable(file, error);
    }
  };
}

function unwritable(what: string, error: unknown): ProctorError {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return new ProctorError(
    code === "ENOSPC" ? "STORE_FULL" : "USAGE",
    `${what}: the report cannot be written (${message})\nchoose a path that can be written`,
    { cause: error },
  );
}
