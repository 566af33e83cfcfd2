// A form made from a JSON Schema: fields for texts, numbers, truth values, choices, objects and lists; everything else is written as JSON. The
// hub checks what comes of it: this only helps to write it.
import { useId } from "preact/hooks";
import { texts } from "../texts.ts";
import { JsonField } from "./json-field.tsx";
import { fieldKind, startValue, type JsonSchema } from "./schema-kind.ts";

interface SchemaFieldProps {
  schema: JsonSchema;
  /** Name of the field; undefined for the whole value. */
  name?: string;
  value: unknown;
  onChange: (value: unknown) => void;
  required?: boolean;
  /** Whether the field is an item of a list, which is not marked as required because it is there. */
  item?: boolean;
  depth?: number;
}

export function SchemaField(props: SchemaFieldProps) {
  const { schema, depth = 0 } = props;
  switch (fieldKind(schema, depth)) {
    case "enum":
      return <ChoiceField {...props} />;
    case "boolean":
      return <TruthField {...props} />;
    case "string":
      return <TextField {...props} />;
    case "number":
      return <NumberField {...props} />;
    case "object":
      return <ObjectField {...props} />;
    case "array":
      return <ListField {...props} />;
    case "raw":
      return <JsonField {...props} label={<Label {...props} />} />;
  }
}

function Label({ name, schema, required = false, item = false }: SchemaFieldProps) {
  const title = typeof schema["title"] === "string" ? schema["title"] : name;
  const description = schema["description"];
  return (
    <span>
      {title}
      {required && !item && <span class="bad-text"> {texts.form.required}</span>}
      {typeof description === "string" && <span class="field-hint"> {description}</span>}
    </span>
  );
}

function ChoiceField({ schema, value, onChange, required = false, ...rest }: SchemaFieldProps) {
  const choices = schema["enum"] as unknown[];
  const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
  return (
    <label class="field">
      <Label schema={schema} value={value} onChange={onChange} required={required} {...rest} />
      <select
        value={at}
        required={required}
        onChange={({ currentTarget }) => onChange(choices[Number(currentTarget.value)])}
      >
        <option value={-1}>{texts.form.nothing}</option>
        {choices.map((choice, index) => (
          <option key={index} value={index}>
            {typeof choice === "string" ? choice : JSON.stringify(choice)}
          </option>
        ))}
      </select>
    </label>
  );
}

function TruthField({ schema, value, onChange, ...rest }: SchemaFieldProps) {
  return (
    <label class="field">
      <Label schema={schema} value={value} onChange={onChange} {...rest} />
      <select
        value={typeof value === "boolean" ? String(value) : ""}
        onChange={({ currentTarget: { value: chosen } }) =>
          onChange(chosen === "" ? undefined : chosen === "true")
        }
      >
        <option value="">{texts.form.nothing}</option>
        <option value="true">{texts.form.yes}</option>
        <option value="false">{texts.form.no}</option>
      </select>
    </label>
  );
}

function TextField({ schema, value, onChange, required = false, ...rest }: SchemaFieldProps) {
  const text = typeof value === "string" ? value : "";
  const isLong = text.length > 60 || text.includes("\n");
  const given = {
    value: text,
    required,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) =>
      onChange(currentTarget.value === "" && !required ? undefined : currentTarget.value),
  };
  return (
    <label class="field">
      <Label schema={schema} value={value} onChange={onChange} required={required} {...rest} />
      {isLong ? <textarea {...given} dir="auto" /> : <input type="text" {...given} dir="auto" />}
    </label>
  );
}

function NumberField({ schema, value, onChange, required = false, ...rest }: SchemaFieldProps) {
  const { minimum, maximum, type } = schema;
  return (
    <label class="field">
      <Label schema={schema} value={value} onChange={onChange} required={required} {...rest} />
      <input
        type="number"
        required={required}
        step={type === "integer" ? 1 : "any"}
        {...(typeof minimum === "number" && { min: minimum })}
        {...(typeof maximum === "number" && { max: maximum })}
        value={typeof value === "number" ? value : ""}
        onInput={({ currentTarget: { value: text } }) => onChange(text === "" ? undefined : Number(text))}
      />
    </label>
  );
}

function ObjectField({ schema, name, value, onChange, required = false, depth = 0 }: SchemaFieldProps) {
  const properties = Object.entries(schema["properties"] as Record<string, JsonSchema>);
  const needed = new Set(Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : []);
  const isGiven = typeof value === "object" && value !== null;
  const held = isGiven ? (value as Record<string, unknown>) : {};
  const fields = properties.map(([key, inner]) => (
    <SchemaField
      key={key}
      name={key}
      schema={inner}
      value={Object.hasOwn(held, key) ? held[key] : undefined}
      required={needed.has(key)}
      depth={depth + 1}
      onChange={(next) => {
        const { [key]: _, ...others } = held;
        onChange(next === undefined ? others : { ...others, [key]: next });
      }}
    />
  ));
  if (name === undefined) return <div class="stack">{fields}</div>;
  return (
    <fieldset class="nested stack">
      <legend>
        <Label schema={schema} name={name} value={value} onChange={onChange} required={required} />
        {!required && (
          <button
            type="button"
            class="button plain"
            onClick={() => onChange(isGiven ? undefined : startValue(schema))}
          >
            {isGiven ? texts.form.leaveOut : texts.form.give}
          </button>
        )}
      </legend>
      {(isGiven || required) && fields}
    </fieldset>
  );
}

function ListField({ schema, name, value, onChange, required = false, depth = 0 }: SchemaFieldProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const inner = schema["items"] as JsonSchema;
  const legend = useId();
  const set = (next: unknown[]): void => onChange(next.length === 0 && !required ? undefined : next);
  return (
    <fieldset class="nested stack" aria-labelledby={legend}>
      <legend id={legend}>
        <Label
          schema={schema}
          value={value}
          onChange={onChange}
          required={required}
          {...(name !== undefined && { name })}
        />
      </legend>
      {items.map((item, index) => (
        <div key={index} class="list-item">
          <SchemaField
            name={`${index + 1}`}
            schema={inner}
            value={item}
            required
            item
            depth={depth + 1}
            onChange={(next) => set(items.with(index, next ?? null))}
          />
          <button
            type="button"
            class="button plain"
            aria-label={texts.form.removeItem(index + 1)}
            onClick={() => set(items.toSpliced(index, 1))}
          >
            ×
          </button>
        </div>
      ))}
      <div>
        <button type="button" class="button" onClick={() => set([...items, startValue(inner, 1) ?? null])}>
          {texts.form.add}
        </button>
      </div>
    </fieldset>
  );
}
