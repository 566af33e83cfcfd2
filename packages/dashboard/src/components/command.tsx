// A command to type, with a button that copies it.
import { useState } from "preact/hooks";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";

export function Command({ children }: { children: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="command">
      <code>{children}</code>
      <Button
        kind="plain"
        onPress={async () => {
          await navigator.clipboard.writeText(children);
          setCopied(true);
        }}
      >
        {copied ? texts.copied : texts.copy}
      </Button>
    </div>
  );
}
