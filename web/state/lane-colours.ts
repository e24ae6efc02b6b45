/** How many colours there are for lanes; they come again after that. */
const COLOURS = 6;

/** The class that gives a lane its colour. */
export function laneClass(lane: number): string {
  return `lane-${lane % COLOURS}`;
}

/** The variable that holds the colour itself, for what is drawn. */
export function laneVariable(lane: number): string {
  return `--lane-${lane % COLOURS}`;
}
