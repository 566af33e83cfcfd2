// Where the time or the money went: kinds below the whole, names below kinds, each as wide as its share.
import { cost, duration, percent } from "../../components/format.ts";
import { texts } from "../../texts.ts";
import { flameOf, type Flame, type Span } from "./spans.ts";

const WIDTH = 1000;
const HEIGHT = 30;
/** Width of the narrowest part that is drawn, in thousandths of the whole: narrower ones could not be seen. */
const NARROWEST = 1;

export function FlameView({ spans, by }: { spans: readonly Span[]; by: "time" | "cost" }) {
  const root = flameOf(spans, by);
  if (root.value === 0) return <p class="quiet">{texts.timeline.noCost}</p>;
  const show = by === "time" ? duration : cost;
  const boxes = layOut(root, 0, WIDTH, 0);
  return (
    <>
      <div class="flame" role="img" aria-label={texts.timeline.views[by]}>
        {boxes.map(({ flame, left, width, level }) => (
          <div
            key={`${level} ${left}`}
            class="flame-box one-line"
            data-kind={flame.kind}
            title={`${flame.name}\n${show(flame.value)} · ${percent(flame.value, root.value)}`}
            style={{
              insetInlineStart: `${(left / WIDTH) * 100}%`,
              width: `${(width / WIDTH) * 100}%`,
              top: `${level * HEIGHT}px`,
            }}
          >
            {width > 40 ? flame.name : ""}
          </div>
        ))}
      </div>
      <table>
        <tbody>
          {root.children.flatMap((kind) =>
            kind.children.slice(0, 12).map((flame) => (
              <tr key={`${kind.name} ${flame.name}`}>
                <td>{texts.timeline.kinds[kind.kind]}</td>
                <td class="mono">{flame.name}</td>
                <td class="number">{show(flame.value)}</td>
                <td class="number quiet">{percent(flame.value, root.value)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </>
  );
}

interface Box {
  flame: Flame;
  left: number;
  width: number;
  level: number;
}

function layOut(flame: Flame, left: number, width: number, level: number): Box[] {
  const boxes: Box[] = [{ flame, left, width, level }];
  let at = left;
  for (const child of flame.children) {
    const wide = (child.value / Math.max(flame.value, Number.MIN_VALUE)) * width;
    if (wide >= NARROWEST) boxes.push(...layOut(child, at, wide, level + 1));
    at += wide;
  }
  return boxes;
}
