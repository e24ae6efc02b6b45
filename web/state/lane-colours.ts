/** The number of lane colors; further lanes reuse them. */
const COLOURS = 6;

/** The CSS class with a lane's color. */
export function laneClass(lane: number): string {
  return `lane-${lane % COLOURS}`;
}

/** The CSS variable with a lane's color, for canvas drawing. */
export function laneVariable(lane: number): string {
  return `--lane-${lane % COLOURS}`;
}
