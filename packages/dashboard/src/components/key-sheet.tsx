// What the keys do, at `?`.
import { activeKeys } from "../state/keys.ts";
import { texts } from "../texts.ts";
import { Dialog } from "./dialog.tsx";

export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.keys.title} onClose={onClose}>
      <table>
        <tbody>
          {activeKeys().map(({ key, does }) => (
            <tr key={key}>
              <td>
                {key.split(" ").map((part, index) => (
                  <kbd key={index}>{part}</kbd>
                ))}
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
