// A text with its label: one line, or several.

interface FieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
  lines?: boolean;
}

export function Field({ label, value, onInput, lines = false }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      {lines ? (
        <textarea value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      ) : (
        <input value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
      )}
    </label>
  );
}
