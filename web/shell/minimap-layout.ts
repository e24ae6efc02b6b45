import type { MapKind, MapLane } from '../model/timeline/minimap.ts';

/** The position of some kinds of entries of a lane. */
export interface MinimapBand {
  readonly lane: number;
  readonly kinds: readonly MapKind[];
  readonly topPx: number;
  readonly heightPx: number;
}

export interface MapLayout {
  readonly heightPx: number;
  readonly bands: readonly MinimapBand[];
}

/** The maximum height: the list is more important than the map. */
const MAX_PX = 128;
const PADDING_PX = 6;
const CALLS_PX = 10;
const OTHERS_PX = 5;
const WHOLE_LANE_PX = 14;
const BETWEEN_KINDS_PX = 1;
const BETWEEN_LANES_PX = 4;

/** One row for each kind of each lane. With many lanes, each has only one row; with very many, a thin one. */
export function layoutOf(lanes: readonly MapLane[]): MapLayout {
  const byKind = stack(
    lanes.map(({ rows }) => (rows.length === 0 ? [whole([])] : rows.map(({ kind }) => oneOf(kind)))),
  );
  if (byKind.heightPx <= MAX_PX) return byKind;
  const byLane = stack(lanes.map(({ rows }) => [whole(rows.map(({ kind }) => kind))]));
  return byLane.heightPx <= MAX_PX ? byLane : squeezed(byLane);
}

/** The band at this height, if any. */
export function bandAt({ bands }: MapLayout, px: number): MinimapBand | undefined {
  return bands.find(({ topPx, heightPx }) => px >= topPx && px < topPx + heightPx + BETWEEN_KINDS_PX);
}

type MinimapSlot = Pick<MinimapBand, 'kinds' | 'heightPx'>;

function oneOf(kind: MapKind): MinimapSlot {
  return { kinds: [kind], heightPx: kind === 'calls' ? CALLS_PX : OTHERS_PX };
}

function whole(kinds: readonly MapKind[]): MinimapSlot {
  return { kinds, heightPx: WHOLE_LANE_PX };
}

function stack(lanes: readonly (readonly MinimapSlot[])[]): MapLayout {
  const bands: MinimapBand[] = [];
  let topPx = PADDING_PX;
  for (const [lane, slots] of lanes.entries()) {
    if (lane > 0) topPx += BETWEEN_LANES_PX - BETWEEN_KINDS_PX;
    for (const slot of slots) {
      bands.push({ lane, ...slot, topPx });
      topPx += slot.heightPx + BETWEEN_KINDS_PX;
    }
  }
  return { heightPx: Math.max(topPx - BETWEEN_KINDS_PX, PADDING_PX + WHOLE_LANE_PX) + PADDING_PX, bands };
}

function squeezed({ heightPx, bands }: MapLayout): MapLayout {
  const factor = MAX_PX / heightPx;
  const smaller = bands.map((band) => ({ ...band, topPx: band.topPx * factor, heightPx: band.heightPx * factor }));
  return { heightPx: MAX_PX, bands: smaller };
}
