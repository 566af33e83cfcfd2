// A text of several lines and the button that sends it; the text is gone when it was sent.
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Field } from "./field.tsx";

interface SayBoxProps {
  label: string;
  action: string;
  onSay: (text: string) => Promise<unknown>;
}

export function SayBox({ label, action, onSay }: SayBoxProps) {
  const [text, setText] = useState("");
  return (
    <div class="say">
      <Field label={label} value={text} onInput={setText} lines />
      <div class="row-of-buttons">
        <Button
          kind="main"
          disabled={text.trim() === ""}
          onPress={async () => {
            await onSay(text);
            setText("");
          }}
        >
          {action}
        </Button>
      </div>
    </div>
  );
}
