// Options that several commands share, and how their values are read. What they refuse becomes a usage error.
import { InvalidArgumentError, type Command } from "commander";
import { ProctorError } from "../core/errors.ts";

export function addHubOptions(command: Command): Command {
  return command
    .option("--hub <url>", "use the hub at this address (PROCTOR_URL)")
    .option("--database <url>", "use this database (DATABASE_URL, file:./.proctor/proctor.db)")
    .option("--config <file>", "read this file instead of proctor.yaml");
}

export function addJsonOption(command: Command, what: string): Command {
  return command.option("--json", `print ${what} as JSON on stdout, and nothing else there`);
}

export function positiveInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 1 || !/^\d+$/.test(value)) {
    throw new InvalidArgumentError("It must be a whole number of at least 1.");
  }
  return number;
}

export function wholeNumber(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value))) {
    throw new InvalidArgumentError("It must be a whole number of at least 0.");
  }
  return Number(value);
}

export function positiveNumber(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError("It must be a number above 0.");
  }
  return number;
}

/** Above 0 and below 1. */
export function share(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError("It must be a number between 0 and 1.");
  return number;
}

/**
 * Options that must be there are checked when everything else is right: commander would report them missing before it
 * reports the misspelt one that was meant.
 */
export function requireOption(value: string | undefined, flag: string, example: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new ProctorError(
    "USAGE",
    `${flag} is ${value === undefined ? "missing" : "empty"}\nfor example: ${example}`,
  );
}

/** Addresses separated by commas. A comma inside a command line is none of them: what follows it begins no address. */
export function collectAddresses(value: string, before: readonly string[] | undefined): string[] {
  const addresses = value.split(/,(?=\s*[a-z][a-z0-9-]*\+[a-z]+:|\s*[A-Za-z0-9][\w.-]*\s*(?:,|$))/i);
  return [
    ...(before ?? []),
    ...addresses.map((address) => address.trim()).filter((address) => address !== ""),
  ];
}

/** For options that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}
