import type { JSX } from 'preact';
import { visible } from '../../src/present/visible-text.ts';
import { MAP_KINDS, type MapKind, type Minimap } from '../model/timeline/minimap.ts';
import { laneClass } from '../state/lane-colours.ts';
import { counted } from '../state/times.ts';
import type { MinimapBand } from './minimap-layout.ts';

const WORDS: Readonly<Record<MapKind, readonly [one: string, many: string]>> = {
  calls: ['call', 'calls'],
  notifications: ['notification', 'notifications'],
  fromServer: ['server request', 'server requests'],
  beside: ['other event (stderr, stray output)', 'other events (stderr, stray output)'],
  http: ['HTTP event', 'HTTP events'],
};

interface LegendProps {
  readonly map: Minimap;
  readonly labels: readonly string[];
  /** The row under the pointer; without one, the legend lists all kinds. */
  readonly band: MinimapBand | undefined;
}

/** The legend for a row of the map. */
export function MinimapLegend({ map, labels, band }: LegendProps): JSX.Element {
  return (
    <p class="minimap-legend" aria-hidden="true">
      {band === undefined ? (
        `From above: ${kindsIn(map).join(' · ')}`
      ) : (
        <>
          <span class={`lane-dot ${laneClass(band.lane)}`} />
          {visible(labels[band.lane] ?? '')} · {formatLane(map, band.lane, band.kinds)}
        </>
      )}
    </p>
  );
}

/** A text version of the map for screen readers. */
export function formatMap(map: Minimap, labels: readonly string[]): string {
  return map.lanes.map((_, lane) => `${visible(labels[lane] ?? '')}: ${formatLane(map, lane, MAP_KINDS)}.`).join(' ');
}

function formatLane({ lanes }: Minimap, lane: number, kinds: readonly MapKind[]): string {
  const rows = (lanes[lane]?.rows ?? []).filter(({ kind }) => kinds.includes(kind));
  if (rows.length === 0) return 'nothing';
  return rows.map(({ kind, count }) => counted(count, ...WORDS[kind])).join(', ');
}

function kindsIn({ lanes }: Minimap): readonly string[] {
  const occurs = (kind: MapKind): boolean => lanes.some(({ rows }) => rows.some((row) => row.kind === kind));
  return MAP_KINDS.filter(occurs).map((kind) => WORDS[kind][1]);
}
