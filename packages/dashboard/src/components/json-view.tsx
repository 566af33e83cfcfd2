// JSON as a tree that opens on demand: a value of any size costs what is open.
import { useState } from "preact/hooks";
import { texts } from "../texts.ts";

const FIRST = 50;
const LONG_TEXT = 2000;

export function JsonView({ value, open = true }: { value: unknown; open?: boolean }) {
  return (
    <div class="json">
      <Value value={value} open={open} />
    </div>
  );
}

function Value({ value, open }: { value: unknown; open: boolean }) {
  if (typeof value === "string") return <Text text={value} />;
  if (typeof value !== "object" || value === null) return <span class="json-plain">{String(value)}</span>;
  return <Fields value={value} open={open} />;
}

function Text({ text }: { text: string }) {
  const [all, setAll] = useState(text.length <= LONG_TEXT);
  return (
    <span class="json-text">
      {JSON.stringify(all ? text : `${text.slice(0, LONG_TEXT)}…`)}
      {!all && (
        <button type="button" class="button plain" onClick={() => setAll(true)}>
          {texts.more}
        </button>
      )}
    </span>
  );
}

function Fields({ value, open }: { value: object; open: boolean }) {
  const [isOpen, setOpen] = useState(open);
  const [shown, setShown] = useState(FIRST);
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const [left, right] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return <span class="json-plain">{left + right}</span>;
  return (
    <>
      <button type="button" class="json-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? left : `${left} ${entries.length} ${right}`}
      </button>
      {isOpen && (
        <>
          <ul>
            {entries.slice(0, shown).map(([name, inner]) => (
              <li key={name}>
                {!isList && <span class="json-name">{name}: </span>}
                <Value value={inner} open={entries.length <= FIRST && depthIsSmall(inner)} />
              </li>
            ))}
          </ul>
          {entries.length > shown && (
            <button type="button" class="button plain" onClick={() => setShown(shown + FIRST * 4)}>
              {texts.more}
            </button>
          )}
          {right}
        </>
      )}
    </>
  );
}

/** Whether the value is small enough to be shown open. */
function depthIsSmall(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length <= 12;
}
