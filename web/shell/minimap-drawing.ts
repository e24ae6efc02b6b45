import type { Minimap } from '../model/timeline/minimap.ts';
import { laneVariable } from '../state/lane-colours.ts';
import type { MapLayout } from './minimap-layout.ts';

const MIN_TALL_PX = 2;

/** Draws the activity over time: calls in the lane's color, other kinds paler, failures as vertical lines. */
export function drawMinimap(canvas: HTMLCanvasElement, { lanes }: Minimap, { bands }: MapLayout): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  for (const { lane, kinds, topPx, heightPx } of bands) {
    const rows = (lanes[lane]?.rows ?? []).filter(({ kind }) => kinds.includes(kind));
    const strong = added(rows.filter(({ kind }) => kind === 'calls').map(({ counts }) => counts));
    const all = added(rows.flatMap(({ counts, answers }) => [counts, answers]));
    const part = width / all.length;
    const max = all.reduce((top, count) => Math.max(top, count), 1);
    const bars = (counts: readonly number[]): void => {
      for (const [n, count] of counts.entries()) {
        if (count === 0) continue;
        const least = Math.min(MIN_TALL_PX, heightPx);
        const tall = least + Math.sqrt(count / max) * (heightPx - least);
        context.fillRect(n * part, topPx + (heightPx - tall) / 2, Math.max(1.5, part - 1), tall);
      }
    };
    context.fillStyle = style.getPropertyValue(laneVariable(lane));
    context.globalAlpha = kinds.includes('calls') ? 0.35 : 0.6;
    bars(all);
    context.globalAlpha = 0.9;
    bars(strong);
  }
  context.globalAlpha = 0.75;
  context.fillStyle = style.getPropertyValue('--error');
  for (const { errors, rows } of lanes) {
    const part = width / (rows[0]?.counts.length ?? 1);
    for (const n of errors) context.fillRect(n * part, 2, 1.5, height - 4);
  }
  context.globalAlpha = 1;
}

function added(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists;
  return first.map((count, n) => others.reduce((sum, list) => sum + (list[n] ?? 0), count));
}
