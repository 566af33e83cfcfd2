// Tabs as links: the address says which is open.
import type { QueryState } from "../state/use-query.ts";
import { useShownCurrent } from "../state/use-shown-current.ts";

export interface Tab {
  id: string;
  title: string;
  count?: number | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  current: string;
  query: QueryState;
  /** Name of the parameter in the address. */
  name?: string;
}

export function Tabs({ label, tabs, current, query, name = "tab" }: TabsProps) {
  const row = useShownCurrent(current);
  return (
    <nav ref={row} class="tabs" aria-label={label}>
      {tabs.map((tab, index) => (
        <a
          key={tab.id}
          href={query.href({ [name]: index === 0 ? undefined : tab.id })}
          aria-current={tab.id === current ? "true" : undefined}
        >
          {tab.title} {tab.count !== undefined && tab.count > 0 && <small>{tab.count}</small>}
        </a>
      ))}
    </nav>
  );
}
