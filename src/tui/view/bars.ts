import { joinCommandLine } from '../../model/command-line.ts';
import { cutStart, widthOf } from '../../present/columns.ts';
import { countOf } from '../../present/figures.ts';
import type { ReplayStage } from '../model/replay-view.ts';
import type { ScreenModel } from '../model/screen-model.ts';
import type { SessionView } from '../model/session-view.ts';
import { type Palette, type Style, type StyledSpan, styledRow } from './styled-row.ts';

/** The title row: the session and the path of its recording. */
export function titleRow(model: ScreenModel, home: string | undefined, palette: Palette): string {
  const { session, size } = model;
  const name: StyledSpan = { text: ' mcpreel  ', style: 'bold' };
  if (session === undefined) return styledRow([name], size.columns, palette);
  const state = stateOf(session);
  const path =
    home !== undefined && session.place.startsWith(`${home}/`) ? `~${session.place.slice(home.length)}` : session.place;
  const room = Math.max(0, Math.floor(size.columns / 2) - widthOf(state.text) - 4);
  return styledRow([name, { text: aboutOf(session), style: 'plain' }], size.columns, palette, {
    right: [state, { text: room < 10 ? '' : `  ${cutStart(path, room)}`, style: 'dim' }, { text: ' ', style: 'plain' }],
  });
}

function aboutOf({ header }: SessionView): string {
  if (header === undefined) return '';
  const target = header.url ?? joinCommandLine(header.command);
  return `${header.label} · ${header.transport}${target === '' ? '' : ` → ${target}`}`;
}

function stateOf({ ending, feed }: SessionView): StyledSpan {
  if (ending?.how === 'lost') return { text: '✕ lost', style: 'error' };
  if (ending?.how === 'ended' || ending?.how === 'silent') return { text: '■ ended', style: 'dim' };
  if (feed?.steering !== undefined) return { text: '● rec', style: 'ok' };
  return ending?.how === 'read' ? { text: '■ file', style: 'dim' } : { text: '… reading', style: 'dim' };
}

const REPLAY_HINTS: Readonly<Record<ReplayStage['kind'], readonly string[]>> = {
  asking: ['y send', 'Esc cancel'],
  running: ['Esc cancel'],
  done: ['↑ ↓ more', 'r again', 'Esc back'],
  failed: ['r again', 'Esc back'],
};

/** While the command must be typed, `y` is a letter of it. */
const TYPING_HINTS: readonly string[] = ['Enter confirm', 'Esc cancel'];

/** Key hints for the current activity, most useful first. The last ones are omitted if there is no room. */
function hintsOf(model: ScreenModel): readonly string[] {
  const { doing, session, focus } = model;
  if (doing.kind === 'writing') return ['Ctrl+S send', 'Esc cancel'];
  if (doing.kind === 'filtering') return ['Enter keep', 'Esc clear'];
  if (doing.kind === 'searching') return ['Enter next', '↑ previous', 'Esc done'];
  if (doing.kind === 'replaying' && doing.replay.stage.kind === 'asking' && doing.replay.mustType) return TYPING_HINTS;
  if (doing.kind === 'replaying') return REPLAY_HINTS[doing.replay.stage.kind];
  if (doing.kind === 'helping') return ['↑ ↓ more', 'Esc back'];
  if (focus === 'sessions') return ['Enter open', 'q quit', '?'];
  if (session === undefined) return ['q quit', '?'];
  const isIntercepting = session.state?.mode === 'intercept';
  if (model.selected?.kind === 'held' && !model.selected.held.isAbandoned) {
    return [
      'f forward',
      'm edit',
      'a answer',
      'd drop',
      'n next',
      `i ${isIntercepting ? 'passthrough' : 'intercept'}`,
      '?',
    ];
  }
  const leave = model.deps.ownsSession ? 'q end session' : 'q quit';
  if (session.feed?.steering === undefined || session.ending !== undefined)
    return ['/ filter', 'x pair', 'r replay', leave, '?'];
  return [`i ${isIntercepting ? 'passthrough' : 'intercept'}`, '/ filter', 'r replay', 's save', leave, '?'];
}

/** Below this width, labels are shortened. */
const NARROW = 60;

/** The status row: mode, counts, and key hints or the message about the last key. */
export function statusRow(model: ScreenModel, width: number, palette: Palette): string {
  const { session, remark, doing } = model;
  const mode = modeOf(session);
  const counts = countsOf(session, width < NARROW);
  const gap = width < NARROW ? ' ' : '   ';
  const left: StyledSpan[] = [
    { text: ` ${mode.text}`, style: mode.style },
    { text: gap + counts.text, style: counts.style },
  ];
  const used = widthOf(` ${mode.text}${gap}${counts.text}`);
  if (remark !== undefined) {
    // The message about the last key takes precedence over the counts.
    const hasRoom = used + gap.length + widthOf(remark.text) <= width;
    const sent: StyledSpan = { text: (hasRoom ? gap : ' ') + remark.text, style: remark.style };
    return styledRow(hasRoom ? [...left, sent] : [sent], width, palette);
  }
  const fault = doing.kind === 'filtering' ? doing.fault : undefined;
  if (fault !== undefined) return styledRow([{ text: ` ${fault}`, style: 'error' }], width, palette);
  return styledRow(left, width, palette, { right: hintSpans(hintsOf(model), width - used - 3) });
}

function hintSpans(hints: readonly string[], room: number): StyledSpan[] {
  const last = hints.at(-1) ?? '';
  const shown: string[] = [];
  let used = widthOf(last) + 1;
  for (const hint of hints.slice(0, -1)) {
    if (used + widthOf(hint) + 2 > room) break;
    shown.push(hint);
    used += widthOf(hint) + 2;
  }
  return [{ text: `${[...shown, last].join('  ')} `, style: 'dim' }];
}

function modeOf(session: SessionView | undefined): StyledSpan {
  if (session?.feed?.steering === undefined)
    return { text: session === undefined ? 'WAITING' : 'RECORDED', style: 'bold' };
  if (session.ending !== undefined) return { text: session.ending.how === 'lost' ? 'LOST' : 'ENDED', style: 'bold' };
  const isIntercepting = session.state?.mode === 'intercept';
  return isIntercepting ? { text: 'INTERCEPT', style: 'waiting' } : { text: 'PASSTHROUGH', style: 'bold' };
}

function countsOf(session: SessionView | undefined, isNarrow: boolean): StyledSpan {
  if (session === undefined) return { text: 'no session is running', style: 'dim' };
  const { log, held, shown, feed } = session;
  const errors = log.errorCount;
  const { messageCount } = log;
  const all = isNarrow ? `${messageCount} msg` : countOf(messageCount, 'message');
  const counted = shown.filter === undefined ? all : `${shown.length} of ${all}`;
  const isComplete = shown.isComplete && feed?.isBehind !== true;
  const failed = isNarrow ? `${errors} err` : countOf(errors, 'error');
  const style: Style = errors > 0 ? 'error' : 'plain';
  return { text: [isComplete ? counted : `${counted}…`, `${held.count} held`, failed].join(' · '), style };
}
