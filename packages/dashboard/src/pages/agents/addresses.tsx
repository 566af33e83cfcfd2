// Where other programs reach an agent through the hub, and the card that A2A clients read first.
import { useState } from "preact/hooks";
import { apiUrl, segment } from "../../api/address.ts";
import type { RegisteredAgent } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { Command } from "../../components/command.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { NotLoaded } from "../../components/notice.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

export function Addresses({ agent }: { agent: RegisteredAgent }) {
  const own = segment(agent.name);
  const socket = apiUrl(`atp/${own}/ws`);
  socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:";
  const words = texts.agents.addresses;
  const addresses = [
    [words.a2a, apiUrl(`a2a/${own}`).href],
    [words.card, apiUrl(`a2a/${own}/.well-known/agent-card.json`).href],
    [words.atp, apiUrl(`atp/${own}/execute`).href],
    [words.stream, apiUrl(`atp/${own}/execute/stream`).href],
    [words.socket, socket.href],
    [words.ap, apiUrl(`ap/${own}/v1/agent/tasks`).href],
    [words.cli, `proctor run --agent ${agent.name} --task "Say hello"`],
  ] as const;
  return (
    <section class="addresses">
      <p class="quiet">{words.text}</p>
      {addresses.map(([name, address]) => (
        <div key={name}>
          <h2>{name}</h2>
          <Command>{address}</Command>
        </div>
      ))}
      <Card name={agent.name} />
    </section>
  );
}

/** Shows the card, which is read when it is opened: most visitors want only an address. */
function Card({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{texts.agents.addresses.showCard}</summary>
      {open && <CardView name={name} />}
    </details>
  );
}

function CardView({ name }: { name: string }) {
  const card = useLoad(`card ${name}`, (signal) => hub.card(name, signal));
  if (card.value !== undefined) return <JsonView value={card.value} />;
  return <NotLoaded of={card} />;
}
