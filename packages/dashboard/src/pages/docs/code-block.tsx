// A text to copy: a command of several lines, an example.
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { texts } from "../../texts.ts";

export function CodeBlock({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState("");
  return (
    <div class="code-block">
      <pre class="code" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Button
        kind="plain"
        onPress={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(text);
        }}
      >
        {copied === text ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}
