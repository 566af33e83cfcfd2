// Flags, written once: a command adds them to its definition, and the type of what it gets is derived from the same list.
import { InvalidArgumentError, Option } from "commander";
import { ENVIRONMENT_KINDS, NETWORK_MODES, PROFILE_CHOICES } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";

export interface Flag<Name extends string = string, Value = unknown, Always extends boolean = boolean> {
  option: Option;
  /** Key of the flag's value: `allowTool` for `--allow-tool`. */
  name: Name;
  /** True for a flag with a default, whose value is always there. */
  always: Always;
  /** Never set. It carries the type of the value. */
  value?: Value;
}

/** The values that an action gets for a list of flags. */
export type FlagsOf<List extends readonly Flag[]> = {
  [Name in Extract<List[number], { always: false }>["name"]]?: ValueOf<List[number], Name>;
} & {
  [Name in Extract<List[number], { always: true }>["name"]]: ValueOf<List[number], Name>;
};

type ValueOf<F extends Flag, Name> = NonNullable<Extract<F, { name: Name }>["value"]>;

/** Turns the spelling of a flag into the key of its value: `-a, --allow-tool <name>` → `allowTool`. */
type NameOf<Spelled extends string> = Spelled extends `-${string}, --${infer Rest}`
  ? CamelCase<FirstWord<Rest>>
  : Spelled extends `--${infer Rest}`
    ? CamelCase<FirstWord<Rest>>
    : never;
type FirstWord<Text extends string> = Text extends `${infer Word} ${string}` ? Word : Text;
type CamelCase<Text extends string> = Text extends `${infer Word}-${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** Defines a flag. A flag that takes a value takes a text, unless `parse` makes something else of it. */
export function flag<const Spelled extends string>(
  spelled: Spelled,
  description: string,
): Flag<NameOf<Spelled>, Spelled extends `${string}<${string}` ? string : boolean, false>;
export function flag<const Spelled extends string, Value>(
  spelled: Spelled,
  description: string,
  parse: (text: string, before: Value | undefined) => Value,
): Flag<NameOf<Spelled>, Value, false>;
export function flag(
  spelled: string,
  description: string,
  parse?: (text: string, before: unknown) => unknown,
): Flag<string, unknown, false> {
  const option = new Option(spelled, description);
  if (parse) option.argParser(parse);
  return { option, name: option.attributeName(), always: false };
}

/** Defines a flag that may be given several times. */
export function list<const Spelled extends string>(
  spelled: Spelled,
  description: string,
): Flag<NameOf<Spelled>, string[], false> {
  return flag(spelled, description, collect);
}

export function choice<const Spelled extends string, const Choice extends string>(
  spelled: Spelled,
  description: string,
  choices: readonly Choice[],
): Flag<NameOf<Spelled>, Choice, false> {
  const made = flag(spelled, description);
  made.option.choices(choices);
  // Commander refuses every other value.
  return made as unknown as Flag<NameOf<Spelled>, Choice, false>;
}

/** Gives a flag a default, which the command gets without it. */
export function orElse<Name extends string, Value>(
  { option, name }: Flag<Name, Value, false>,
  fallback: Value,
): Flag<Name, Value, true> {
  return { option: option.default(fallback), name, always: true };
}

export const HUB_FLAGS = [
  flag("--hub <url>", "use the hub at this address (PROCTOR_URL)"),
  flag("--database <url>", "use this database (DATABASE_URL, file:./.proctor/proctor.db)"),
  flag("--config <file>", "read this file instead of proctor.yaml"),
] as const;

/** Flags for what environments may use of this machine. */
export const MACHINE_FLAGS = [
  flag("--root <dir>", "the root of its file system: a directory (this machine's system directories)"),
  choice("--build-network <mode>", "what a Dockerfile may reach while it is built (none)", ["none", "host"]),
  flag("--unsafe-local", "allow terminals on this machine itself, without isolation"),
] as const;

/** Flags for the environment of terminals, and of agents' programs that run in one. */
export const environmentFlags = (profile = "strict") =>
  [
    choice(
      "--environment <kind>",
      "where the terminal runs (the strongest isolation available)",
      ENVIRONMENT_KINDS,
    ),
    choice("--profile <name>", `how many users it has: strict has one (${profile})`, PROFILE_CHOICES),
    choice("--network <mode>", "what it may reach (none)", NETWORK_MODES),
    list("--allow-host <host>", "a host for --network allow-list (repeatable)"),
    ...MACHINE_FLAGS,
  ] as const;

export const jsonFlag = (what: string) =>
  flag("--json", `print ${what} as JSON on stdout, and nothing else there`);

/** Flags of commands that show or change one thing. */
export const documentFlags = (what: string) => [jsonFlag(what), ...HUB_FLAGS] as const;
export type DocumentFlags = FlagsOf<ReturnType<typeof documentFlags>>;

/** Flags of commands that show a list page by page. */
export const PAGE_FLAGS = [
  flag("--limit <n>", "at most n items", positiveInteger),
  flag("--cursor <cursor>", "continue where an earlier list ended"),
  jsonFlag("{items, next_cursor}"),
  ...HUB_FLAGS,
] as const;

/** Defines `--reporter`. Its choices are for help and completion only: a file may follow, so readReporterFlags refuses wrong names. */
export function reporterFlag(names: readonly string[]) {
  const made = list("-r, --reporter <name[=file]>", "what to report, to stdout or to a file (repeatable)");
  made.option.choices(names).argParser(collect);
  return made;
}

export type HubFlags = FlagsOf<typeof HUB_FLAGS> & FlagsOf<typeof MACHINE_FLAGS>;
export type EnvironmentFlags = FlagsOf<ReturnType<typeof environmentFlags>>;

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

export function priority(value: string): number {
  const number = Number(value);
  if (!/^-?\d{1,3}$/.test(value) || Math.abs(number) > 100)
    throw new InvalidArgumentError("It must be a whole number from -100 to 100.");
  return number;
}

export function positiveNumber(value: string): number {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number) || number <= 0) {
    throw new InvalidArgumentError("It must be a number above 0.");
  }
  return number;
}

/** Parses a number above 0 and below 1. */
export function share(value: string): number {
  const number = Number(value);
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError("It must be a number between 0 and 1.");
  return number;
}

export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/**
 * Flags that must be there are checked when everything else is right: commander would report them missing before it
 * reports the misspelt one that was meant.
 */
export function requireFlag(value: string | undefined, flag: string, example: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new ProctorError(
    "USAGE",
    `${flag} is ${value === undefined ? "missing" : "empty"}\nfor example: ${example}`,
  );
}
