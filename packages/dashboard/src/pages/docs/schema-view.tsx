// A schema as a list of fields that people can read. A schema with a name is shown where it is mentioned, when the visitor opens it: many
// refer to each other, some to themselves.
import { useState } from "preact/hooks";
import { texts } from "../../texts.ts";
import { Prose } from "./prose.tsx";
import { fieldsOf, listOf, textOf } from "./read-value.ts";
import type { Schema, Schemas } from "./reference.ts";
import { refName } from "./ref-name.ts";
import { namesIn, typeWords } from "./type-words.ts";

interface SchemaViewProps {
  schema: Schema;
  schemas: Schemas;
}

/** Shows a schema; one with a name is shown with its fields at once. */
export function SchemaView({ schema, schemas }: SchemaViewProps) {
  const name = refName(schema);
  const shown = name === undefined ? schema : (schemas[name] ?? {});
  const hasFields = Object.keys(fieldsOf(shown["properties"])).length > 0;
  return (
    <div class="schema">
      <p>
        <code class="schema-type">{typeWords(schema)}</code>{" "}
        <Prose text={textOf(shown["description"] ?? schema["description"])} />
      </p>
      {hasFields ? (
        <FieldList schema={shown} schemas={schemas} />
      ) : (
        <Named schema={shown} schemas={schemas} />
      )}
    </div>
  );
}

function FieldList({ schema, schemas }: SchemaViewProps) {
  const required = new Set(listOf(schema["required"]));
  return (
    <ul class="schema-fields">
      {Object.entries(fieldsOf(schema["properties"])).map(([name, field]) => (
        <li key={name}>
          <Field name={name} required={required.has(name)} schema={fieldsOf(field)} schemas={schemas} />
        </li>
      ))}
    </ul>
  );
}

interface FieldProps extends SchemaViewProps {
  name: string;
  required: boolean;
  /** Text that is shown before the type. */
  note?: string;
  description?: string;
}

export function Field({ name, required, schema, schemas, note, description }: FieldProps) {
  const text = description ?? textOf(schema["description"]);
  const among = listOf(schema["x-extensible-enum"]).map(String);
  const inner = Object.keys(fieldsOf(schema["properties"])).length > 0 ? schema : fieldsOf(schema["items"]);
  return (
    <>
      <p class="schema-field">
        <code class="schema-name">{name}</code>
        <span class="schema-type">
          {note === undefined ? typeWords(schema) : `${note}, ${typeWords(schema)}`}
        </span>
        {required && <span class="bad-text">{texts.form.required}</span>}
      </p>
      {text !== "" && (
        <p class="quiet">
          <Prose text={text} />
        </p>
      )}
      {among.length > 0 && (
        <p class="quiet">
          {texts.docs.types.among}: <Prose text={among.map((value) => `\`${value}\``).join(" ")} />
        </p>
      )}
      {Object.keys(fieldsOf(inner["properties"])).length > 0 && (
        <FieldList schema={inner} schemas={schemas} />
      )}
      <Named schema={schema} schemas={schemas} />
    </>
  );
}

/** Shows the named schemas that a schema mentions, closed at first. */
function Named({ schema, schemas }: SchemaViewProps) {
  const names = namesIn(schema).filter((name) => schemas[name] !== undefined);
  return (
    <>
      {names.map((name) => (
        <Closed key={name} name={name} schemas={schemas} />
      ))}
    </>
  );
}

function Closed({ name, schemas }: { name: string; schemas: Schemas }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="schema-named" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary aria-label={texts.docs.types.fields(name)}>{name}</summary>
      {open && <SchemaView schema={schemas[name] ?? {}} schemas={schemas} />}
    </details>
  );
}
