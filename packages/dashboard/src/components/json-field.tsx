// A value written as JSON. What is not JSON yet is kept as text, with a note that says so.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";

interface JsonFieldProps {
  label: ComponentChildren;
  value: unknown;
  onChange: (value: unknown) => void;
}

export function JsonField({ label, value, onChange }: JsonFieldProps) {
  const [text, setText] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const hint = useId();
  function change(next: string): void {
    setText(next);
    try {
      onChange(next.trim() === "" ? undefined : (JSON.parse(next) as unknown));
      setProblem(undefined);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <label class="field">
      {label}
      <textarea
        class="mono"
        rows={5}
        value={text}
        aria-invalid={problem !== undefined}
        aria-describedby={hint}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <small id={hint} class="bad-text said">
        {problem}
      </small>
    </label>
  );
}
