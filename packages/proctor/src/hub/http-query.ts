// The query of an address; absent values are left out.

export function query(values: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") search.set(key, String(value));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}
