// The stand-ins that were announced to the hub: where they are, whether they are alive, and how many requests they got.
import { pagePath, segment } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import { Command } from "../../components/command.tsx";
import { count } from "../../components/format.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { texts } from "../../texts.ts";
import { DoubleMark } from "./double-mark.tsx";
import { useReloads } from "./use-reloads.ts";
import "./doubles.css";

const words = texts.doubles;

export function DoublesPage() {
  usePageTitle(words.title);
  const { value, error, reload } = useLoad("doubles", hub.doubles);
  useReloads(reload);
  if (value === undefined) return error === undefined ? <Loading /> : <Failed error={error} retry={reload} />;
  const { items } = value;
  return (
    <>
      <div class="page-head">
        <h1>{words.title}</h1>
      </div>
      {items.length === 0 && (
        <div class="empty">
          <h2>{words.emptyTitle}</h2>
          <p>{words.emptyText}</p>
          <Command>{words.emptyCommand}</Command>
        </div>
      )}
      {items.length > 0 && (
        <Table
          label={words.title}
          kind="doubles"
          columns={[
            words.columns.state,
            words.columns.name,
            [words.columns.kind, "not-on-phone"],
            [words.columns.address, "not-on-phone"],
            [words.columns.requests, "number"],
            [words.columns.unmatched, "number"],
            words.columns.seen,
          ]}
        >
          {items.map((double) => (
            <tr key={double.id}>
              <td class="sign-on-phone">
                <DoubleMark state={double.state} />
              </td>
              <td class="double-name">
                <a href={pagePath(`doubles/${segment(double.id)}`)}>{double.name}</a>
              </td>
              <td class="not-on-phone">{words.kinds[double.kind]}</td>
              <td class="double-address not-on-phone">
                <code>{double.address}</code>
              </td>
              <td class="number">{count(double.requests)}</td>
              <td class={double.unmatched > 0 ? "number warn-text" : "number"}>{count(double.unmatched)}</td>
              <td>
                <Time at={double.seen_at} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
