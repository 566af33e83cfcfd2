// Options that several commands share, and how their values are read. What they refuse becomes a usage error.
import { InvalidArgumentError, Option, type Command } from "commander";
import { ENVIRONMENT_KINDS, NETWORK_MODES, PROFILE_CHOICES } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";

/** The flags of every command that talks to a hub. */
export interface HubFlags {
  hub?: string;
  database?: string;
  config?: string;
  /** For those that run something in environments. */
  root?: string;
  buildNetwork?: string;
  unsafeLocal?: boolean;
}

export function addHubOptions(command: Command): Command {
  return command
    .option("--hub <url>", "use the hub at this address (PROCTOR_URL)")
    .option("--database <url>", "use this database (DATABASE_URL, file:./.proctor/proctor.db)")
    .option("--config <file>", "read this file instead of proctor.yaml");
}

/** Where terminals live, and the programs of agents that are to live apart. */
export function addEnvironmentOptions(command: Command, profile = "strict"): Command {
  return addMachineOptions(
    command
      .addOption(
        new Option(
          "--environment <kind>",
          "where the terminal runs (the strongest isolation available)",
        ).choices(ENVIRONMENT_KINDS),
      )
      .addOption(
        new Option("--profile <name>", `how many users it has: strict has one (${profile})`).choices(
          PROFILE_CHOICES,
        ),
      )
      .addOption(new Option("--network <mode>", "what it may reach (none)").choices(NETWORK_MODES))
      .option("--allow-host <host>", "a host for --network allow-list (repeatable)", collect),
  );
}

/** What of this machine environments may use. */
export function addMachineOptions(command: Command): Command {
  return command
    .option("--root <dir>", "the root of its file system: a directory (this machine's system directories)")
    .addOption(
      new Option("--build-network <mode>", "what a Dockerfile may reach while it is built (none)").choices([
        "none",
        "host",
      ]),
    )
    .option("--unsafe-local", "allow terminals on this machine itself, without isolation");
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
