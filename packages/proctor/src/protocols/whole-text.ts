// What an agent said went wrong, for a failure: whole or not at all, because half a secret would not be recognised.

const MAX_MESSAGE_CHARS = 2000;

export function wholeText(text: string): string {
  return text.length > MAX_MESSAGE_CHARS ? `the agent said why in ${text.length} characters` : text;
}
