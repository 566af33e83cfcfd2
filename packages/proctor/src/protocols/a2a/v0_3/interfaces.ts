// Where an agent is reached: `url`, `preferredTransport` and `additionalInterfaces` in 0.3, one list in 1.0, the preferred one first.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { legacyOf, withLegacy } from "../legacy.ts";
import { leaveOut, split, type Translation } from "../translating.ts";

/** Fields of 0.3 that say where the agent is. */
export const INTERFACE_FIELDS = ["url", "preferredTransport", "additionalInterfaces", "protocolVersion"];

/** Transport that 0.3, section 5.5, implies where none is named. */
const DEFAULT_TRANSPORT = "JSONRPC";
const VERSION = "0.3.0";
/** Agents of 0.2 are addressed as agents of 0.3. */
const INTERFACE_VERSION = "0.3";

export function interfacesUp(card: JsonObject): JsonObject[] {
  const { url, preferredTransport, protocolVersion } = card;
  const transport = preferredTransport ?? DEFAULT_TRANSPORT;
  const additional = (Array.isArray(card["additionalInterfaces"]) ? card["additionalInterfaces"] : []).filter(
    isJsonObject,
  );
  const listedAt = additional.findIndex((entry) => entry["url"] === url && entry["transport"] === transport);
  const { url: _, transport: __, ...more } = additional[listedAt] ?? {};
  const form: JsonObject = {
    main: true,
    ...(listedAt >= 0 && { listedAt }),
    ...(card["additionalInterfaces"] === undefined && { alone: true }),
    ...(preferredTransport === undefined && { unsaid: true }),
    ...(protocolVersion !== undefined && { protocolVersion }),
  };
  return [
    up({ url, transport, ...more }, form),
    ...additional.filter((_entry, index) => index !== listedAt).map((entry) => up(entry, {})),
  ];
}

function up({ transport, ...rest }: JsonObject, form: JsonObject): JsonObject {
  const [fields, open] = split(rest, ["protocolBinding", "protocolVersion", "tenant"]);
  return withLegacy(
    { ...open, protocolBinding: transport, protocolVersion: INTERFACE_VERSION },
    { fields, form },
  );
}

export function interfacesDown(interfaces: Json | undefined, translation: Translation): JsonObject {
  const all = (Array.isArray(interfaces) ? interfaces : []).filter(isJsonObject);
  const spoken = all.filter(isLegacy);
  translation.enter("supportedInterfaces");
  if (spoken.length === 0) translation.lose("names no interface that speaks A2A 0.3; all are listed");
  const chosen = spoken.length === 0 ? all : spoken;
  const written = all.map((entry, index) => {
    translation.enter(index);
    if (!chosen.includes(entry)) translation.lose("speaks another version, and is left out");
    const down = chosen.includes(entry) ? interfaceDown(entry, translation) : undefined;
    translation.leave();
    return { entry, down };
  });
  translation.leave();
  const kept = written.flatMap(({ entry, down }) =>
    down ? [{ form: legacyOf(entry).form ?? {}, down }] : [],
  );
  const main = kept.find(({ form }) => form["main"] === true) ?? kept[0];
  const form = main?.form ?? {};
  return {
    ...(main && { url: main.down["url"] }),
    ...(main && form["unsaid"] !== true && { preferredTransport: main.down["transport"] }),
    ...additionalOf(
      kept.map(({ down }) => down),
      main?.down,
      form,
    ),
    ...protocolVersionOf(form),
  };
}

function isLegacy({ protocolVersion }: JsonObject): boolean {
  return typeof protocolVersion === "string" && protocolVersion.startsWith("0.");
}

function interfaceDown(entry: JsonObject, translation: Translation): JsonObject {
  const { protocolBinding, protocolVersion: _, ...rest } = entry;
  const open = leaveOut(rest, ["tenant", "transport"], translation);
  return { ...open, transport: protocolBinding, ...legacyOf(entry).fields };
}

/** Lists the main interface too, for completeness (section 5.6.2), unless the agent wrote it otherwise. */
function additionalOf(all: JsonObject[], main: JsonObject | undefined, form: JsonObject): JsonObject {
  const { listedAt, alone } = form;
  const others = all.filter((entry) => entry !== main);
  if (alone === true && others.length === 0) return {};
  // Next to `url` there is no place for unknown fields.
  const whole = Object.keys(main ?? {}).every((name) => name === "url" || name === "transport");
  if (form["main"] !== true) return all.length > 1 || !whole ? { additionalInterfaces: all } : {};
  if (typeof listedAt !== "number" || main === undefined) return { additionalInterfaces: others };
  return { additionalInterfaces: [...others.slice(0, listedAt), main, ...others.slice(listedAt)] };
}

function protocolVersionOf(form: JsonObject): JsonObject {
  if (form["main"] !== true) return { protocolVersion: VERSION };
  return form["protocolVersion"] === undefined ? {} : { protocolVersion: form["protocolVersion"] };
}
