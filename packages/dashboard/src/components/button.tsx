// A button that does something asynchronous: it cannot be pressed twice, and shows what went wrong.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { tell } from "./toast.tsx";

interface ButtonProps {
  children: ComponentChildren;
  onPress: () => unknown;
  kind?: "main" | "danger" | "plain";
  disabled?: boolean;
  title?: string;
  label?: string;
}

export function Button({ children, onPress, kind, disabled = false, title, label }: ButtonProps) {
  const [busy, setBusy] = useState(false);
  async function press(): Promise<void> {
    setBusy(true);
    try {
      await onPress();
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }
  return (
    <button
      type="button"
      class={`button ${kind ?? ""}`}
      disabled={disabled || busy}
      title={title}
      aria-label={label}
      onClick={() => void press()}
    >
      {children}
    </button>
  );
}
