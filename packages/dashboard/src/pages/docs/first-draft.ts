// What the form of an operation holds before the visitor has typed: the example of the document, or the smallest body that its schema allows.
import { startValue } from "../../components/schema-kind.ts";
import type { Draft } from "./draft.ts";
import { formSchema } from "./form-schema.ts";
import { fieldsOf } from "./read-value.ts";
import type { Operation, Schemas } from "./reference.ts";

export function firstDraft({ body }: Operation, schemas: Schemas): Draft {
  const { type, schema, example } = body?.media ?? {};
  if (type === "application/json" && schema) {
    return { ...EMPTY, body: example ?? startValue(formSchema(schema, schemas)) };
  }
  if (type !== "multipart/form-data") return EMPTY;
  // A field that is a file is chosen; in the example it is a path for curl.
  const texts = Object.entries(fieldsOf(example)).filter(([, value]) => !String(value).startsWith("@"));
  return { ...EMPTY, body: Object.fromEntries(texts) };
}

const EMPTY: Draft = { values: {}, body: undefined, files: {}, stream: false };
