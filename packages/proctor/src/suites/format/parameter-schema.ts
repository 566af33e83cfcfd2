// How `vars`, `matrix` and `data` are written.
import { z } from "zod";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { dispatch } from "../../runtime/yaml/findings.ts";
import { integerUpTo, json } from "../../runtime/yaml/scalars.ts";

export const MAX_CASES = 100_000;

const row = z
  .custom<JsonObject>(isJsonObject, "a row must be a mapping (key: value)")
  .meta({ type: "object" });
const name = z
  .string()
  .regex(/^[^{}\s](?:[^{}\n]*[^{}\s])?$/, "a name is not empty, has no braces and no blanks around it");

export const varsSchema = z.record(name, json);

export const matrixSchema = z
  .object({ exclude: z.array(z.record(z.string(), json)).optional() })
  .catchall(z.array(json).min(1));

const dataFile = z.strictObject({
  file: z.string().min(1),
  limit: integerUpTo(1, MAX_CASES).optional(),
  offset: integerUpTo(0, 1_000_000_000).optional(),
});

const dataForms = {
  text: z
    .string()
    .min(1)
    .transform((file): DataEntry => ({ file })),
  rows: z.array(row).min(1).max(MAX_CASES),
  file: dataFile,
};

export type DataEntry = z.output<typeof dataFile> | JsonObject[];

export const dataSchema: z.ZodType<DataEntry> = dispatch<DataEntry>(
  (value) => {
    if (typeof value === "string") return dataForms.text;
    return Array.isArray(value) ? dataForms.rows : dataForms.file;
  },
  { forms: () => Object.values(dataForms) },
);

export type MatrixEntry = z.output<typeof matrixSchema>;
