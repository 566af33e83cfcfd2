// The names of errors in the text of 0.3, by which its SDKs know them where there is no code: `TaskNotFoundError`.
import { A2A_ERRORS, errorOfCode, errorOfReason, type A2aReason } from "./errors.ts";

/** Returns undefined for an error that A2A itself does not have. */
export function nameOfError(reason: A2aReason): string | undefined {
  if (errorOfCode(A2A_ERRORS[reason].code) !== reason) return undefined;
  const words = reason
    .toLowerCase()
    .replaceAll(/(?:^|_)([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
  return `${words.replace(/Error$/, "")}Error`;
}

/** Returns the error that a text begins with, and what follows; undefined where it begins with none. */
export function namedError(text: string): { reason: A2aReason; rest: string } | undefined {
  const [, name = "", rest = ""] = /^([A-Z][A-Za-z]{3,60})Error\b(?:: )?(.*)$/s.exec(text) ?? [];
  const word = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
  const reason = errorOfReason(word) ?? errorOfReason(`${word}_ERROR`);
  return reason === undefined ? undefined : { reason, rest };
}
