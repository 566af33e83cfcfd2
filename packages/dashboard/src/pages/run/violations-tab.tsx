// The rules of its protocol that the agent broke.
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";
import type { RunTabProps } from "./run-page.tsx";

export function ViolationsTab({ run }: RunTabProps) {
  if (run.violations.length === 0) return <p class="quiet">{texts.violations.none}</p>;
  return (
    <Table
      columns={[texts.violations.rule, texts.violations.what, texts.violations.where, texts.violations.owner]}
    >
      {run.violations.map(({ rule, message, where, owner, section, repeated }, index) => (
        <tr key={index}>
          <td class="mono">{rule}</td>
          <td class="said">
            {message}
            {repeated !== undefined && repeated > 0 && (
              <small class="quiet"> {texts.violations.repeated(repeated)}</small>
            )}
          </td>
          <td class="said">{where}</td>
          <td>{[owner, section].filter(Boolean).join(", ")}</td>
        </tr>
      ))}
    </Table>
  );
}
