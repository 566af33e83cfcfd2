// The body of a request: JSON by a form or as it is written, the fields of a form with its files, or one file.
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { JsonField } from "../../components/json-field.tsx";
import { SchemaField } from "../../components/schema-form.tsx";
import { fieldKind } from "../../components/schema-kind.ts";
import { texts } from "../../texts.ts";
import type { Draft } from "./draft.ts";
import { formSchema } from "./form-schema.ts";
import { fieldsOf } from "./read-value.ts";
import type { Operation, Schemas } from "./reference.ts";

interface BodyFieldsProps {
  operation: Operation;
  schemas: Schemas;
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
}

export function BodyFields(props: BodyFieldsProps) {
  switch (props.operation.body?.media.type) {
    case "application/json":
      return <JsonBody {...props} />;
    case "multipart/form-data":
      return <FormBody {...props} />;
    case undefined:
      return null;
    default:
      return <FileField {...props} name="" />;
  }
}

function JsonBody({ operation, schemas, draft, onChange }: BodyFieldsProps) {
  const schema = formSchema(operation.body?.media.schema ?? {}, schemas);
  const hasForm = fieldKind(schema, 0) === "object";
  const [asJson, setAsJson] = useState(!hasForm);
  const change = (body: unknown): void => onChange({ body });
  return (
    <>
      {asJson ? (
        <JsonField label={<span>{texts.docs.try.json}</span>} value={draft.body} onChange={change} />
      ) : (
        <SchemaField schema={schema} value={draft.body} onChange={change} />
      )}
      {hasForm && (
        <div>
          <Button kind="plain" onPress={() => setAsJson(!asJson)}>
            {asJson ? texts.docs.try.asForm : texts.docs.try.asJson}
          </Button>
        </div>
      )}
    </>
  );
}

function FormBody(props: BodyFieldsProps) {
  const { operation, schemas, draft, onChange } = props;
  const schema = formSchema(operation.body?.media.schema ?? {}, schemas);
  const held = fieldsOf(draft.body);
  return (
    <>
      {Object.entries(fieldsOf(schema["properties"])).map(([name, field]) =>
        fieldsOf(field)["format"] === "binary" ? (
          <FileField key={name} {...props} name={name} />
        ) : (
          <SchemaField
            key={name}
            name={name}
            schema={fieldsOf(field)}
            value={held[name]}
            onChange={(value) => {
              const { [name]: _, ...others } = held;
              onChange({ body: value === undefined ? others : { ...others, [name]: value } });
            }}
          />
        ),
      )}
    </>
  );
}

function FileField({ draft, onChange, name }: BodyFieldsProps & { name: string }) {
  return (
    <label class="field">
      <span>{name === "" ? texts.docs.try.file : name}</span>
      <input
        type="file"
        onChange={({ currentTarget }) => {
          const { [name]: _, ...others } = draft.files;
          const file = currentTarget.files?.[0];
          onChange({ files: file ? { ...others, [name]: file } : others });
        }}
      />
    </label>
  );
}
