import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Minimap as MinimapFacts } from '../model/timeline/minimap.ts';
import { usePage, usePlace } from '../state/page.ts';
import { moveEnd, rangeBetween, shift, type TimeRange, zoom } from './minimap-brush.ts';
import { drawMinimap } from './minimap-drawing.ts';
import { bandAt, layoutOf, type MapLayout, type MinimapBand } from './minimap-layout.ts';
import { formatMap, MinimapLegend } from './minimap-legend.tsx';

const PARTS = 400;
const PAUSE_MS = 400;

type MinimapDrag =
  | { readonly kind: 'new'; readonly from: number }
  | { readonly kind: 'fromMs' | 'toMs'; readonly range: TimeRange };

/**
 * The activity over time, with a lane for each server and a row for each kind, and a brush that selects a time range.
 */
export function Minimap(): JSX.Element | null {
  const page = usePage();
  const { span, lanes } = page.timeline.value;
  const range = usePlace('range');
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<MinimapDrag | undefined>(undefined);
  const { canvas, map, layout } = useDrawnMap();
  const [pointed, setPointed] = useState<MinimapBand | undefined>(undefined);
  const [isFocused, setFocused] = useState(false);
  if (span === undefined || span.toMs <= span.fromMs) return null;

  const placeOf = (clientX: number): number => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    return (clientX - left) / width;
  };
  const choose = (next: TimeRange | undefined): void => page.go({ range: next }, 'move');
  const percent = (ms: number): number => ((ms - span.fromMs) / (span.toMs - span.fromMs)) * 100;

  const onPointerDown = (event: PointerEvent): void => {
    const grip = (event.target as HTMLElement).dataset.end;
    if ((grip === 'fromMs' || grip === 'toMs') && range !== undefined) drag.current = { kind: grip, range };
    else drag.current = { kind: 'new', from: placeOf(event.clientX) };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const { top = 0 } = box.current?.getBoundingClientRect() ?? {};
    setPointed(bandAt(layout, event.clientY - top));
    const now = drag.current;
    if (now === undefined) return;
    const place = placeOf(event.clientX);
    if (now.kind === 'new') choose(rangeBetween(span, now.from, place));
    else choose(moveEnd(span, now.range, now.kind, place));
  };
  const onPointerUp = (): void => {
    drag.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = range ?? span;
    const middle = (now.fromMs + now.toMs) / 2;
    const next = {
      ArrowLeft: () => shift(span, now, -0.25),
      ArrowRight: () => shift(span, now, 0.25),
      '+': () => zoom(span, now, 0.5, middle),
      '-': () => zoom(span, now, 2, middle),
      Escape: () => undefined,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose(next());
  };
  const onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const deps = span.fromMs + placeOf(event.clientX) * (span.toMs - span.fromMs);
    choose(zoom(span, range ?? span, event.deltaY > 0 ? 1.25 : 0.8, deps));
  };
  const labels = lanes.map(({ label }) => label);
  return (
    <div
      class="minimap"
      ref={box}
      role="application"
      aria-label={`Time range: ${range === undefined ? 'everything' : 'a part'}. Arrow keys move it, plus and minus zoom, Escape clears.`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the range
      tabIndex={0}
      aria-describedby="minimap-words"
      style={{ height: `${layout.heightPx}px` }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerLeave={() => setPointed(undefined)}
      onFocus={(event) => setFocused(event.currentTarget.matches(':focus-visible'))}
      onBlur={() => setFocused(false)}
      onDblClick={() => choose(undefined)}
      onKeyDown={onKeyDown}
      onWheel={onWheel}
    >
      <canvas class="minimap-canvas" ref={canvas} />
      {range !== undefined && (
        <div
          class="minimap-brush"
          style={{ left: `${percent(range.fromMs)}%`, width: `${percent(range.toMs) - percent(range.fromMs)}%` }}
        >
          <span class="minimap-grip minimap-grip-from" data-end="fromMs" />
          <span class="minimap-grip minimap-grip-to" data-end="toMs" />
        </div>
      )}
      <p class="unseen" id="minimap-words">
        {map === undefined ? '' : formatMap(map, labels)}
      </p>
      {map !== undefined && (isFocused || pointed !== undefined) && (
        <MinimapLegend map={map} labels={labels} band={pointed} />
      )}
    </div>
  );
}

interface DrawnMap {
  readonly canvas: { current: HTMLCanvasElement | null };
  readonly map: MinimapFacts | undefined;
  readonly layout: MapLayout;
}

/** Fetches the map when the timeline changes, and draws it when the map or the window changes. */
function useDrawnMap(): DrawnMap {
  const page = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [map, setMap] = useState<MinimapFacts | undefined>(undefined);
  const layout = useMemo(() => layoutOf(map?.lanes ?? []), [map]);
  const { version } = page.timeline.value;
  const isRequested = useRef(false);
  const isStale = useRef(false);
  useEffect(() => {
    const ask = async (): Promise<void> => {
      isRequested.current = true;
      isStale.current = false;
      setMap(await page.engine.minimap(PARTS));
      // The map covers the whole time, so it is not computed too often while data arrives.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      isRequested.current = false;
      if (isStale.current) void ask();
    };
    if (isRequested.current) isStale.current = true;
    else void ask();
  }, [version]);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (element === null || map === undefined) return undefined;
    const draw = (): void => drawMinimap(element, map, layout);
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    return () => {
      observer.disconnect();
      themed.disconnect();
    };
  }, [map]);
  return { canvas, map, layout };
}
