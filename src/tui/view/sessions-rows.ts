import { formatDuration } from '../../present/figures.ts';
import type { ScreenModel } from '../model/screen-model.ts';
import { type Palette, styledRow } from './styled-row.ts';

const DIGITS = 8;

/** The running sessions, with the open one marked. */
export function sessionsRows(model: ScreenModel, width: number, height: number, palette: Palette): string[] {
  const { running, chosen, openedId, deps, focus } = model;
  const top = Math.max(0, Math.min(chosen - height + 1, running.length - height));
  return Array.from({ length: height }, (_, i) => {
    const session = running[top + i];
    if (session === undefined) return ' '.repeat(width);
    const { id, label, startedAtMs } = session;
    const isOpen = id === openedId;
    return styledRow(
      [
        { text: isOpen ? ' ● ' : '   ', style: 'ok' },
        { text: id.slice(0, DIGITS), style: 'dim' },
        { text: `  ${label}`, style: 'plain' },
      ],
      width,
      palette,
      {
        isSelected: focus === 'sessions' && top + i === chosen,
        right: [{ text: `${formatDuration(deps.nowMs() - startedAtMs)} `, style: 'dim' }],
      },
    );
  });
}
