// What fields can be: the pieces that the tables of v1/ and v0_3/ are made of. A reader returns the value itself where nothing is wrong,
// so that reading a message of 10 MB copies nothing; unknown fields stay.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Reader, Reading } from "./reading.ts";

export const text: Reader = (value, reading) =>
  typeof value === "string" ? value : reading.wrongType("string", value);

/** Reads an identifier or a name, which must not be empty. */
export const filledText: Reader = (value, reading) => {
  if (value === "") return reading.wrong("must not be empty");
  return text(value, reading);
};

/** Reads a text, and takes an empty one as absent: it is the default of proto3, which some peers write. */
export const textOrNothing: Reader = (value, reading) => (value === "" ? undefined : text(value, reading));

export const flag: Reader = (value, reading) =>
  typeof value === "boolean" ? value : reading.wrongType("boolean", value);

/** Reads an object without looking into it. */
export const anyObject: Reader = (value, reading) =>
  isJsonObject(value) ? value : reading.wrongType("object", value);

const MAX_INT32 = 2_147_483_647;

/** Reads whole numbers, in the form of a text too, as ProtoJSON allows. */
export function wholeNumber(least: number, most: number = MAX_INT32): Reader {
  return (value, reading) => {
    const number = typeof value === "string" && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
    if (typeof number !== "number" || !Number.isInteger(number)) return reading.wrongType("int", value);
    if (number !== value) reading.odd("must be a number, and is a text");
    if (number >= least && number <= most) return number;
    return reading.wrong(
      most === MAX_INT32 ? `must be at least ${least}` : `must be between ${least} and ${most}`,
    );
  };
}

interface ListOptions {
  /** Names the entry of which a list needs at least one: "one part". */
  atLeast?: string;
}

/** Reads a list. Entries that cannot be used are left out. */
export function list(entry: Reader, { atLeast }: ListOptions = {}): Reader {
  return (value, reading) => {
    if (!Array.isArray(value)) return reading.wrongType("array", value);
    if (value.length === 0 && atLeast !== undefined) reading.wrong(`must have at least ${atLeast}`);
    const read = value.map((given, index) => {
      reading.enter(index);
      const result = entry(given, reading);
      reading.leave();
      return result;
    });
    if (read.every((result, index) => result === value[index])) return value;
    return read.filter((result) => result !== undefined);
  };
}

export const texts = list(text);

/** Reads a value with problems noted under this section. */
export function inSection(section: string, read: Reader): Reader {
  return (value, reading) => {
    const outer = reading.section;
    reading.section = section;
    const result = read(value, reading);
    reading.section = outer;
    return result;
  };
}

/** Reads an object whose keys are free names. */
export function mapOf(entry: Reader): Reader {
  return (value, reading) => {
    if (!isJsonObject(value)) return reading.wrongType("object", value);
    const given = Object.entries(value);
    const read = given.map(([name, item]) => [name, readField(name, item ?? null, entry, reading)] as const);
    if (read.every(([, result], index) => result === given[index]?.[1])) return value;
    return Object.fromEntries(read.filter(([, result]) => result !== undefined));
  };
}

export interface Field {
  read: Reader;
  /** True when it is wrong to leave the field out. */
  required: boolean;
  /** Returns the value for a field that is missing or cannot be used. Without it the object cannot be used where the field is required. */
  fallback?: () => Json;
}
type Fields = Readonly<Record<string, Reader | Field>>;

export function required(read: Reader, fallback?: () => Json): Field {
  return { read, required: true, ...(fallback && { fallback }) };
}

/** Makes a field whose absence means the same as its default. */
export function defaulted(read: Reader, fallback: () => Json): Field {
  return { read, required: false, fallback };
}

interface ObjectOptions {
  section?: string;
  /** True when fields may have the names of the .proto, such as `message_id`, which ProtoJSON's parsers accept. */
  protoNames?: boolean;
}

export function object(fields: Fields, { section, protoNames = false }: ObjectOptions = {}): Reader {
  const table = Object.entries(fields).map(([name, field]) => {
    const whole: Field = typeof field === "function" ? { read: field, required: false } : field;
    return { ...whole, name, protoName: protoNames ? protoNameOf(name) : name };
  });
  const read: Reader = (value, reading) => {
    if (!isJsonObject(value)) return reading.wrongType("object", value);
    let copy: JsonObject | undefined;
    let usable = true;
    for (const field of table) {
      const { name, protoName } = field;
      let given = value[name];
      if (given === undefined && protoName !== name && value[protoName] !== undefined) {
        reading.odd(`must be called ${name}`, protoName);
        given = value[protoName];
        const { [protoName]: _, ...rest } = copy ?? value;
        copy = { ...rest, [name]: given };
      }
      if (given === null && !field.required) reading.odd("must be left out, and is null", name);
      let result: Json | undefined;
      if (given != null) result = readField(name, given, field.read, reading);
      else if (field.required) reading.wrong("is missing", name);
      result ??= field.fallback?.();
      if (result === undefined && field.required) usable = false;
      if (result === (copy ?? value)[name]) continue;
      copy ??= { ...value };
      if (result === undefined) delete copy[name];
      else copy[name] = result;
    }
    return usable ? (copy ?? value) : undefined;
  };
  return section === undefined ? read : inSection(section, read);
}

function readField(name: string, value: Json, read: Reader, reading: Reading): Json | undefined {
  reading.enter(name);
  const result = read(value, reading);
  reading.leave();
  return result;
}

function protoNameOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
