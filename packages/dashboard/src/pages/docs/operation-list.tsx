// The operations by group, and the field to search them with.
import { useEffect, useRef } from "preact/hooks";
import type { RefObject } from "preact";
import { count } from "../../components/format.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { MethodMark } from "./method-mark.tsx";
import type { Group } from "./reference.ts";

interface OperationListProps {
  groups: readonly Group[];
  current: string;
  query: QueryState;
  search: RefObject<HTMLInputElement | null>;
}

export function OperationList({ groups, current, query, search }: OperationListProps) {
  const list = useRef<HTMLElement>(null);
  const found = groups.reduce((sum, { operations }) => sum + operations.length, 0);
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <nav class="operation-list" aria-label={texts.docs.contents} ref={list}>
      <div class="operation-search">
        <input
          ref={search}
          class="input"
          type="search"
          placeholder={texts.docs.search}
          aria-label={texts.docs.search}
          value={query.get("q")}
          onInput={({ currentTarget }) => query.set({ q: currentTarget.value }, "replace")}
        />
        <p class="quiet" role="status">
          {found === 0 ? texts.docs.noneFit : texts.docs.count(count(found))}
        </p>
      </div>
      {groups.map(({ name, operations }) => (
        <section key={name}>
          <h2>{name}</h2>
          <ul>
            {operations.map(({ id, method, path, summary, socket }) => (
              <li key={id}>
                <a
                  href={query.href({ op: id })}
                  aria-current={id === current ? "page" : undefined}
                  title={path}
                >
                  <MethodMark method={socket ? "WS" : method} />
                  <span>{summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
