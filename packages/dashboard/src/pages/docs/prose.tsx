// A short text of the document, in which `code` stands in backticks.

export function Prose({ text }: { text: string }) {
  return (
    <>
      {text
        .split(/(`[^`]+`)/)
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{part.slice(1, -1)}</code> : <span key={index}>{part}</span>,
        )}
    </>
  );
}
