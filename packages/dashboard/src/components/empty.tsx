// A list without anything in it: what would stand there, and the command that begins it.
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
