// An empty list: what would be in it, and the command that makes its first entry.
import { Command } from "./command.tsx";

export function Empty({ title, text, command }: { title: string; text: string; command: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      <Command>{command}</Command>
    </div>
  );
}
