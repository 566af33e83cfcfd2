// A link to a page that only a hub has. Where documents come from a file, its text alone.
import type { ComponentChildren } from "preact";
import { source } from "../api/source.ts";

export function HubLink({ href, children }: { href: string; children: ComponentChildren }) {
  return source().isHub ? (
    <a href={href} dir="auto">
      {children}
    </a>
  ) : (
    <span dir="auto">{children}</span>
  );
}
