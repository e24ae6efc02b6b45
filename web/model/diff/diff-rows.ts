import type { ContractDifference } from '../../../src/analysis/contract/contract-diff.ts';
import type {
  BothSides,
  NamedCall,
  SequenceDifference,
  SessionDiff,
  ValueDifference,
} from '../../../src/analysis/diff/diff.ts';
import { compact } from '../../../src/json/layout.ts';
import { ObjectView } from '../../../src/json/object-view.ts';
import { ARROWS } from '../../../src/present/glyphs.ts';
import { textHead } from '../../../src/present/text-head.ts';
import { type EntryKey, keyOf } from '../entry-key.ts';
import type { Lane } from '../timeline/lane.ts';
import { type DiffExcerpt, excerptsOf } from './diff-excerpt.ts';
import type { DiffSection } from './diff-facts.ts';
import { choicesForContract, choicesForValue, type IgnoreChoice } from './diff-rules.ts';

/** A message that a difference is about. */
export interface MessageLink {
  readonly key: EntryKey;
  readonly sequence: number;
}

/** A difference as a row of the view. */
export interface DiffRow {
  readonly mark: '+' | '-' | '~';
  /** The subject: a tool or a call. */
  readonly title: string;
  /** The arguments of the call. */
  readonly brief: string;
  /** The kind of change, in a word or two. */
  readonly what: string;
  readonly isBreaking: boolean;
  /** The path of a difference within a value. */
  readonly path: string | undefined;
  readonly a: DiffExcerpt | undefined;
  readonly b: DiffExcerpt | undefined;
  readonly messages: BothSides<readonly MessageLink[]>;
  readonly ignore: readonly IgnoreChoice[];
  /** Whether the previous difference is about the same call. */
  readonly goesOn: boolean;
}

const MARKS = { added: '+', removed: '-', changed: '~', reordered: '~' } as const;
const MAX_BRIEF = 200;
/** Params that the call's name already contains, or that are not of interest. */
const NAMING = new Set(['_meta', 'name', 'uri']);

export function rowsOfDiff(
  diff: SessionDiff,
  section: DiffSection,
  from: number,
  to: number,
  lanes: BothSides<Lane>,
): DiffRow[] {
  switch (section) {
    case 'contract':
      return diff.contract.slice(from, to).map((difference) => contractRow(difference, lanes));
    case 'sequence':
      return diff.sequence.slice(from, to).map((difference) => sequenceRow(difference, lanes));
    case 'values':
      return diff.values
        .slice(from, to)
        .map((difference, place) => valueRow(difference, diff.values[from + place - 1], lanes));
  }
}

function contractRow(difference: ContractDifference, lanes: BothSides<Lane>): DiffRow {
  const { subject, name, change, breaking, path, detail, messages } = difference;
  return {
    mark: MARKS[change],
    title: `${subject} ${name}`,
    brief: '',
    what: detail,
    isBreaking: breaking,
    path: path === '$' ? undefined : path,
    ...excerptsOf(difference.a, difference.b),
    messages: linksTo(messages, lanes),
    ignore: choicesForContract(difference),
    goesOn: false,
  };
}

function sequenceRow({ change, call }: SequenceDifference, lanes: BothSides<Lane>): DiffRow {
  return {
    ...aboutCall(call, lanes),
    mark: MARKS[change],
    what: change,
    path: undefined,
    a: undefined,
    b: undefined,
    ignore: [],
    goesOn: false,
  };
}

function valueRow(difference: ValueDifference, before: ValueDifference | undefined, lanes: BothSides<Lane>): DiffRow {
  const { call, path, a, b } = difference;
  return {
    ...aboutCall(call, lanes),
    mark: a === undefined ? '+' : b === undefined ? '-' : '~',
    what: path === '$' ? 'the whole response' : '',
    path: path === '$' ? undefined : path,
    ...excerptsOf(a, b),
    ignore: choicesForValue(difference),
    goesOn: before?.call === call && path !== '$',
  };
}

function aboutCall(
  { direction, method, name, params, messages }: NamedCall,
  lanes: BothSides<Lane>,
): Pick<DiffRow, 'title' | 'brief' | 'isBreaking' | 'messages'> {
  const view = params === undefined ? undefined : ObjectView.of(params);
  const given = view?.textOf('arguments') ?? view?.only((key) => !NAMING.has(key)) ?? '{}';
  return {
    title: [ARROWS[direction], method, ...(name === undefined ? [] : [name])].join(' '),
    brief: given === '{}' ? '' : textHead(compact(given.slice(0, 1 << 16)), MAX_BRIEF),
    isBreaking: false,
    messages: linksTo(messages, lanes),
  };
}

function linksTo(messages: BothSides<readonly number[]>, lanes: BothSides<Lane>): BothSides<readonly MessageLink[]> {
  const side = (sequences: readonly number[], lane: Lane): MessageLink[] =>
    sequences.flatMap((sequence) => {
      const place = lane.log.placeOf(sequence);
      return place === undefined ? [] : [{ key: keyOf(lane.index, place), sequence }];
    });
  return { a: side(messages.a, lanes.a), b: side(messages.b, lanes.b) };
}
