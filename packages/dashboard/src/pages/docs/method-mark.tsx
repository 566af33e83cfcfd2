// The method of an operation, in its colour.

export function MethodMark({ method }: { method: string }) {
  return <span class={`method method-${method.toLowerCase()}`}>{method}</span>;
}
