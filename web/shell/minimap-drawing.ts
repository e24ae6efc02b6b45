import type { Minimap } from '../engine/minimap.ts';

const LANE_PX = 18;
const PADDING_PX = 6;

/** How high the map of so many lanes is. */
export function minimapHeight(lanes: number): number {
  return Math.max(1, lanes) * LANE_PX + 2 * PADDING_PX;
}

/** Draws how much happened when: requests in the lane's colour, everything else paler, failures as lines across. */
export function drawMinimap(canvas: HTMLCanvasElement, { lanes }: Minimap): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  context.scale(ratio, ratio);
  const style = getComputedStyle(canvas);
  for (const [lane, { calls, others, errors }] of lanes.entries()) {
    const part = width / calls.length;
    const most = Math.max(1, ...calls.map((count, n) => count + (others[n] ?? 0)));
    const middle = PADDING_PX + lane * LANE_PX + LANE_PX / 2;
    const bars = (counts: readonly number[]): void => {
      for (const [n, count] of counts.entries()) {
        if (count === 0) continue;
        const tall = 2 + Math.sqrt(count / most) * (LANE_PX - 6);
        context.fillRect(n * part, middle - tall / 2, Math.max(1.5, part - 1), tall);
      }
    };
    context.fillStyle = style.getPropertyValue(`--lane-${lane % 6}`);
    context.globalAlpha = 0.35;
    bars(calls.map((count, n) => count + (others[n] ?? 0)));
    context.globalAlpha = 0.9;
    bars(calls);
    context.globalAlpha = 0.75;
    context.fillStyle = style.getPropertyValue('--error');
    for (const n of errors) context.fillRect(n * part, 2, 1.5, height - 4);
    context.globalAlpha = 1;
  }
}
