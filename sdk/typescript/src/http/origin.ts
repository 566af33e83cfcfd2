// Browsers say which page a request comes from. A page from another host must not be able to drive an agent on this machine.

export function isForeignOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  const host = URL.canParse(origin) ? new URL(origin).hostname : "";
  return !(host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host));
}
