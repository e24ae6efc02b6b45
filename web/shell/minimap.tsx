import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Minimap as MinimapFacts } from '../engine/minimap.ts';
import { usePage } from '../state/page.ts';

const PARTS = 400;
const LANE_PX = 18;

/** How much happened when, a lane for each server. */
export function Minimap(): JSX.Element {
  const page = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [map, setMap] = useState<MinimapFacts | undefined>(undefined);
  const { version } = page.film.value;
  useEffect(() => {
    let isWanted = true;
    void page.engine.minimap(PARTS).then((facts) => isWanted && setMap(facts));
    return () => {
      isWanted = false;
    };
  }, [version]);
  useEffect(() => {
    if (canvas.current !== null && map !== undefined) draw(canvas.current, map);
  });
  return <canvas class="minimap" ref={canvas} height={Math.max(1, map?.lanes.length ?? 1) * LANE_PX + 12} />;
}

function draw(canvas: HTMLCanvasElement, map: MinimapFacts): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  canvas.width = canvas.clientWidth;
  context.clearRect(0, 0, canvas.width, canvas.height);
  const width = canvas.width / PARTS;
  for (const [lane, { counts, errors }] of map.lanes.entries()) {
    const most = Math.max(1, ...counts);
    const middle = 6 + lane * LANE_PX + LANE_PX / 2;
    context.fillStyle = getComputedStyle(canvas).getPropertyValue(`--lane-${lane % 6}`);
    for (const [part, count] of counts.entries()) {
      const height = count === 0 ? 0 : 2 + Math.sqrt(count / most) * (LANE_PX - 6);
      context.fillRect(part * width, middle - height / 2, Math.max(1, width - 1), height);
    }
    context.fillStyle = getComputedStyle(canvas).getPropertyValue('--error');
    for (const part of errors) context.fillRect(part * width, 2, 1.5, canvas.height - 4);
  }
}
