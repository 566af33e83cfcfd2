// What to type when nothing has run yet.
import { texts } from "../texts.ts";
import { Command } from "./command.tsx";

export function FirstSteps() {
  const { title, explanation, steps } = texts.first;
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{explanation}</p>
      <ol>
        {steps.map(({ text, command }, index) => (
          <li key={command}>
            {index + 1}. {text}
            <Command>{command}</Command>
          </li>
        ))}
      </ol>
    </div>
  );
}
