// The fields of a form that a person can fill in one after the other: those of a flat JSON Schema. The schema comes from an agent.
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

const TYPES = ["string", "number", "integer", "boolean"] as const;

export interface FormField {
  name: string;
  type: (typeof TYPES)[number];
  required: boolean;
  description?: string;
  choices?: Json[];
}

const MAX_FIELDS = 50;
const YES = new Set(["yes", "y", "true"]);
const NO = new Set(["no", "n", "false"]);

/** Returns undefined for a form that has to be answered as JSON: one that is nested, has other types, or is very long. */
export function formFields(schema: JsonObject): FormField[] | undefined {
  const { properties, required } = schema;
  if (!isJsonObject(properties)) return undefined;
  const names = Object.entries(properties);
  if (names.length === 0 || names.length > MAX_FIELDS) return undefined;
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = names.map(([name, property]) => fieldOf(name, property, needed.has(name)));
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

function fieldOf(name: string, property: Json | undefined, required: boolean): FormField | undefined {
  if (!isJsonObject(property)) return undefined;
  const { type: named, description, enum: choices } = property;
  const type = TYPES.find((known) => known === named);
  if (type === undefined) return undefined;
  return {
    name,
    type,
    required,
    ...(typeof description === "string" && description !== "" && { description }),
    ...(Array.isArray(choices) && choices.length > 0 && { choices }),
  };
}

/** Returns a choice as it is shown and typed. */
export function nameOf(choice: Json): string {
  return typeof choice === "string" ? choice : JSON.stringify(choice);
}

/** Returns what was typed as the value of a field; undefined when it is not a valid one. */
export function readField({ type, choices }: FormField, typed: string): Json | undefined {
  const value = typed.trim();
  if (choices !== undefined) return choices.find((choice) => nameOf(choice) === value);
  switch (type) {
    case "string":
      return typed;
    case "boolean":
      return YES.has(value.toLowerCase()) ? true : NO.has(value.toLowerCase()) ? false : undefined;
    case "number":
    case "integer": {
      const number = Number(value);
      const fits =
        value !== "" && Number.isFinite(number) && (type === "number" || Number.isSafeInteger(number));
      return fits ? number : undefined;
    }
  }
}
