// Reads a query string by its schema: text becomes numbers and lists where the schema has them. Unknown parameters are
// refused, because a misspelt filter that is ignored returns the wrong list.
import { z } from "zod";
import { unwrap } from "./schema-fields.ts";
import { validate } from "./validate.ts";

/** Returns the query's values. Throws INVALID_REQUEST. */
export function readQuery<S extends z.ZodObject>(url: string, schema: S): z.infer<S> {
  // Without a prototype, so that a parameter named __proto__ is one more unknown parameter.
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of new URL(url).searchParams) {
    const field = Object.hasOwn(schema.shape, name) ? unwrap(schema.shape[name]) : undefined;
    if (field instanceof z.ZodArray) {
      const list = Array.isArray(values[name]) ? values[name] : [];
      values[name] = [...list, ...text.split(",").filter((part) => part !== "")];
    } else {
      values[name] =
        field instanceof z.ZodNumber && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
    }
  }
  return validate(schema, values, "query");
}
