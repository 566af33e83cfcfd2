// A status by shape, colour and word: no meaning hangs on colour alone.
import type { JSX } from "preact";
import type { AgentState, RunStatus } from "../api/gen/schema.ts";
import { texts } from "../texts.ts";

export type Tone = "good" | "bad" | "warn" | "busy" | "calm";

interface Look {
  tone: Tone;
  shape: JSX.Element;
}

const line = {
  fill: "none",
  stroke: "currentColor",
  "stroke-width": 1.6,
  "stroke-linecap": "round",
} as const;
const ring = <circle cx="7" cy="7" r="5.4" {...line} />;
const disc = <circle cx="7" cy="7" r="6.2" fill="currentColor" />;
const onDisc = {
  fill: "none",
  stroke: "var(--ground)",
  "stroke-width": 1.7,
  "stroke-linecap": "round",
} as const;

const SHAPES = {
  dots: <circle cx="7" cy="7" r="5.4" {...line} stroke-dasharray="1.5 3" />,
  ring,
  arc: (
    <g class="turning">
      <circle cx="7" cy="7" r="5.4" {...line} opacity="0.3" />
      <path d="M7 1.6a5.4 5.4 0 0 1 5.4 5.4" {...line} />
    </g>
  ),
  diamond: <path d="M7 .8 13.2 7 7 13.2.8 7Z" fill="currentColor" />,
  bars: <path d="M4.5 3v8M9.5 3v8" {...line} stroke-width="2.4" />,
  check: (
    <g>
      {disc}
      <path d="m4.3 7.2 1.9 1.9 3.5-4" {...onDisc} />
    </g>
  ),
  cross: (
    <g>
      <rect x="1" y="1" width="12" height="12" rx="2.5" fill="currentColor" />
      <path d="m4.8 4.8 4.4 4.4m0-4.4L4.8 9.2" {...onDisc} />
    </g>
  ),
  clock: (
    <g>
      <circle cx="7" cy="7" r="5.4" {...line} />
      <path d="M7 4v3.2l2 1.2" {...line} />
    </g>
  ),
  slash: (
    <g>
      {ring}
      <path d="m3.4 10.6 7.2-7.2" {...line} />
    </g>
  ),
  half: (
    <g>
      {ring}
      <path d="M7 1.6a5.4 5.4 0 0 1 0 10.8Z" fill="currentColor" />
    </g>
  ),
} satisfies Record<string, JSX.Element>;

const LOOKS: Record<RunStatus, Look> = {
  created: { tone: "calm", shape: SHAPES.dots },
  queued: { tone: "calm", shape: SHAPES.ring },
  running: { tone: "busy", shape: SHAPES.arc },
  waiting: { tone: "warn", shape: SHAPES.diamond },
  paused: { tone: "warn", shape: SHAPES.bars },
  completed: { tone: "good", shape: SHAPES.check },
  failed: { tone: "bad", shape: SHAPES.cross },
  timeout: { tone: "bad", shape: SHAPES.clock },
  cancelled: { tone: "calm", shape: SHAPES.slash },
  partial: { tone: "warn", shape: SHAPES.half },
  rejected: { tone: "bad", shape: SHAPES.slash },
};

export function Status({ status, bare }: { status: RunStatus; bare?: boolean }) {
  const { tone, shape } = LOOKS[status] ?? LOOKS.created;
  const word = texts.status[status] ?? status;
  return (
    <Mark tone={tone} shape={shape} {...(bare === true && { title: word })}>
      {word}
    </Mark>
  );
}

const VERDICTS = {
  pass: { tone: "good", shape: SHAPES.check },
  fail: { tone: "bad", shape: SHAPES.cross },
  unevaluated: { tone: "warn", shape: SHAPES.diamond },
  not_run: { tone: "calm", shape: SHAPES.dots },
} as const;

export type Verdict = keyof typeof VERDICTS;

export function VerdictMark({ verdict, bare = false }: { verdict: Verdict; bare?: boolean }) {
  const word = texts.verdicts[verdict];
  return (
    <Mark {...VERDICTS[verdict]} {...(bare && { title: word })}>
      {word}
    </Mark>
  );
}

const HEALTH = {
  online: { tone: "good", shape: SHAPES.check },
  suspect: { tone: "warn", shape: SHAPES.half },
  offline: { tone: "bad", shape: SHAPES.cross },
  draining: { tone: "warn", shape: SHAPES.bars },
  unknown: { tone: "calm", shape: SHAPES.dots },
} as const satisfies Record<AgentState, Look>;

export function HealthMark({ state }: { state: AgentState }) {
  return <Mark {...(HEALTH[state] ?? HEALTH.unknown)}>{texts.health[state] ?? state}</Mark>;
}

interface ShapeMarkProps {
  tone: Tone;
  shape: keyof typeof SHAPES;
  /** Whether the shape is shown alone; the word is still there on hover and for screen readers. */
  bare?: boolean;
  children: string;
}

/** Shows a mark for states that only one page has. */
export function ShapeMark({ tone, shape, bare = false, children }: ShapeMarkProps) {
  return (
    <Mark tone={tone} shape={SHAPES[shape]} {...(bare && { title: children })}>
      {children}
    </Mark>
  );
}

/** Shows a mark with its word. With a title, the word is shown on hover only, and still read aloud. */
function Mark({ tone, shape, title, children }: Look & { title?: string; children: string }) {
  return (
    <span class={`status ${tone}`} title={title}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
        {shape}
      </svg>
      <span class={title === undefined ? "" : "hidden-text"}>{children}</span>
    </span>
  );
}
