import { Box } from 'ink';
import type { ReactNode } from 'react';
import { fitted } from '../../present/columns.ts';
import type { ScreenModel } from '../model/screen-model.ts';
import { statusRow, titleRow } from './bars.ts';
import { BOTTOM, border, CROSSING, side, TOP } from './borders.ts';
import { detailRows, detailTitle } from './detail-rows.ts';
import { editorRows } from './editor-rows.ts';
import { helpRows } from './help-rows.ts';
import { listRows } from './list-rows.ts';
import { replayRows, replayTitle } from './replay-rows.ts';
import { Rows } from './rows.tsx';
import { sessionsRows } from './sessions-rows.ts';
import { type Palette, styledRow } from './styled-row.ts';

export interface AppProps {
  readonly model: ScreenModel;
  readonly palette: Palette;
  /** The user's home folder, shown as `~`. */
  readonly home: string | undefined;
}

/** Rows outside the panels: the title, three borders and the status. */
const AROUND = 5;
const LIST_SHARE = 0.475;
const MAX_SESSIONS = 6;

/** The whole screen. */
export function App({ model, palette, home }: AppProps): ReactNode {
  const { columns, rows } = model.size;
  const inner = Math.max(1, columns - 2);
  const height = Math.max(1, rows - AROUND);
  const isWhole = model.doing.kind === 'helping' || !model.isWide || model.session === undefined;
  const listWidth = isWhole ? inner : Math.round((columns - 3) * LIST_SHARE);
  const detailWidth = isWhole ? inner : inner - 1 - listWidth;
  const frame = { model, palette, height };
  return (
    // Positioned absolutely, so that Ink's own output has no rows: producing it takes half the time of a frame.
    <Box position="absolute" flexDirection="column" width={columns} height={rows}>
      <Rows rows={[titleRow(model, home, palette)]} width={columns} />
      {isWhole ? (
        <Whole {...frame} width={inner} />
      ) : (
        <SideBySide {...frame} listWidth={listWidth} detailWidth={detailWidth} />
      )}
      <Rows
        rows={[
          border(
            { ...CROSSING, middle: '┴' },
            bottomTitles(model, isWhole ? [inner] : [listWidth, detailWidth]),
            palette,
          ),
          palette.paint('│', 'dim', false) + statusRow(model, inner, palette) + palette.paint('│', 'dim', false),
          border(BOTTOM, [{ text: '', width: inner }], palette),
        ]}
        width={columns}
      />
    </Box>
  );
}

interface PanelProps {
  readonly model: ScreenModel;
  readonly palette: Palette;
  readonly height: number;
}

/** List and detail side by side. */
function SideBySide({
  model,
  palette,
  height,
  listWidth,
  detailWidth,
}: PanelProps & { readonly listWidth: number; readonly detailWidth: number }): ReactNode {
  const titles = [
    { text: leftTitle(model), width: listWidth, hasFocus: model.focus !== 'detail' },
    { text: rightTitle(model), width: detailWidth, hasFocus: model.focus === 'detail' },
  ];
  return (
    <>
      <Rows rows={[border(TOP, titles, palette)]} width={listWidth + detailWidth + 3} />
      <Box>
        <Rows rows={side(height, palette)} width={1} />
        <Rows rows={leftRows(model, listWidth, height, palette)} width={listWidth} />
        <Rows rows={side(height, palette)} width={1} />
        <Rows rows={rightRows(model, detailWidth, height, palette)} width={detailWidth} />
        <Rows rows={side(height, palette)} width={1} />
      </Box>
    </>
  );
}

/** A single panel at full width. */
function Whole({ model, palette, height, width }: PanelProps & { readonly width: number }): ReactNode {
  const { title, rows } = wholePanel(model, width, height, palette);
  return (
    <>
      <Rows rows={[border(TOP, [{ text: title, width, hasFocus: true }], palette)]} width={width + 2} />
      <Box>
        <Rows rows={side(height, palette)} width={1} />
        <Rows rows={rows} width={width} />
        <Rows rows={side(height, palette)} width={1} />
      </Box>
    </>
  );
}

function wholePanel(
  model: ScreenModel,
  width: number,
  height: number,
  palette: Palette,
): { readonly title: string; readonly rows: readonly string[] } {
  const { doing } = model;
  if (doing.kind === 'helping') return { title: 'keys', rows: helpRows(width, height, palette, doing.top) };
  if (model.focus === 'detail') return { title: rightTitle(model), rows: rightRows(model, width, height, palette) };
  return { title: leftTitle(model), rows: leftRows(model, width, height, palette) };
}

function leftTitle({ showsSessions }: ScreenModel): string {
  return showsSessions ? 'sessions' : 'messages';
}

function rightTitle(model: ScreenModel): string {
  const { doing } = model;
  if (doing.kind === 'replaying') return replayTitle(doing.replay);
  if (doing.kind !== 'writing') return detailTitle(model.selected);
  return doing.what === 'edit' ? 'edit message' : 'write response';
}

/** The list, below the sessions if there are several. */
function leftRows(model: ScreenModel, width: number, height: number, palette: Palette): string[] {
  const { session, showsSessions, running, deps } = model;
  if (!showsSessions) return messageRows(model, width, height, palette);
  const max = session === undefined ? height : Math.min(MAX_SESSIONS, Math.floor(height / 3));
  const sessions = sessionsRows(model, width, Math.max(1, Math.min(max, running.length)), palette);
  const rest = height - sessions.length - 1;
  if (rest < 1) return sessions.slice(0, height).concat(blank(width, height - sessions.length));
  const line = styledRow([{ text: `─ messages ${'─'.repeat(width)}`, style: 'dim' }], width, palette);
  const below =
    session === undefined ? blank(width, rest + 1) : [line, ...listRows(session, width, rest, palette, deps.nowMs())];
  return [...sessions, ...below];
}

function messageRows(model: ScreenModel, width: number, height: number, palette: Palette): string[] {
  const { session, deps } = model;
  if (session !== undefined && session.list.length > 0) return listRows(session, width, height, palette, deps.nowMs());
  const words = emptyWords(model).map((text) => styledRow([{ text: ` ${text}`, style: 'dim' }], width, palette));
  return [...words.slice(0, height), ...blank(width, height - words.length)];
}

/** Why the list is empty. */
function emptyWords({ session, deps }: ScreenModel): string[] {
  if (session === undefined) return ['No session is running. Start one:', 'mcpreel -- <server command…>'];
  if (session.ending?.how === 'lost') return [session.ending.why ?? 'Connection to the session lost.'];
  if (session.shown.filter !== undefined) return ['No matches. Esc clears the filter.'];
  if (session.ending !== undefined) return ['No messages.'];
  if (deps.listening !== undefined) return ['Waiting for a client at', deps.listening];
  return ['No messages yet.'];
}

function rightRows(model: ScreenModel, width: number, height: number, palette: Palette): string[] {
  const { session, doing, focus, deps } = model;
  if (doing.kind === 'writing') return editorRows(doing.buffer, width, height, palette);
  if (session === undefined) return blank(width, height);
  if (doing.kind === 'replaying') return replayRows(doing.replay, { width, height, palette }, deps.nowMs());
  return detailRows(session, width, height, palette, { nowMs: deps.nowMs(), hasFocus: focus === 'detail' });
}

/** The active filter, or the text being typed, for the border above the status. */
function bottomTitles(
  model: ScreenModel,
  widths: readonly number[],
): { text: string; width: number; hasFocus: boolean }[] {
  const { doing, filterText } = model;
  const [left = 0, right] = widths;
  const typed = doing.kind === 'filtering' || doing.kind === 'searching' ? `/${doing.text}▏` : undefined;
  const search = doing.kind === 'searching';
  const filter = filterText === '' ? '' : `/${filterText}`;
  const whole = search && right === undefined ? (typed ?? '') : search ? filter : (typed ?? filter);
  return [
    { text: whole, width: left, hasFocus: doing.kind === 'filtering' },
    ...(right === undefined ? [] : [{ text: search ? (typed ?? '') : '', width: right, hasFocus: search }]),
  ];
}

function blank(width: number, height: number): string[] {
  return Array.from({ length: Math.max(0, height) }, () => fitted('', width));
}
