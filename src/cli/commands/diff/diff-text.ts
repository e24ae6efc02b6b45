import type { ContractDifference } from '../../../analysis/contract/contract-diff.ts';
import type {
  BothSides,
  NamedCall,
  SequenceDifference,
  SessionDiff,
  ValueDifference,
} from '../../../analysis/diff/diff.ts';
import type { JsonText } from '../../../model/entry.ts';
import { numberText } from '../../../model/message-number.ts';
import { argumentsIn, callTitle } from '../../../present/call-words.ts';
import { widthOf } from '../../../present/columns.ts';
import { countOf, differenceCounts } from '../../../present/figures.ts';
import { PRINTED_ARROWS } from '../../../present/glyphs.ts';
import { beginningOf, excerptsOf } from '../../../present/value-excerpt.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { TableStyle } from '../shared/text-style.ts';

/** Values are cut to this length, however wide the terminal is. */
const MAX_VALUE = 160;
const MAX_ARGUMENTS = 80;
/** The space that a call's line needs for margins and message numbers. */
const BESIDE_CALL = 32;
/** At most this many differences are shown per call. */
const MAX_PER_CALL = 20;

/** The differences as text. `names` are the sessions as the user named them. */
export function diffText(diff: SessionDiff, names: BothSides<string>, style: TableStyle): string {
  const { contract, sequence, values, calls } = diff;
  const print = new DiffPrinter(style);
  print.line(`A: ${oneLine(names.a)}, ${countOf(calls.a, 'call')}`);
  print.line(`B: ${oneLine(names.b)}, ${countOf(calls.b, 'call')}`);
  if (contract.length > 0) print.title('Definitions');
  for (const difference of contract) contractLines(difference, print);
  if (sequence.length > 0) print.title('Calls');
  for (const difference of sequence) sequenceLine(difference, print);
  if (values.length > 0) print.title('Values');
  for (const ofOneCall of byCall(values)) valueLines(ofOneCall, print);
  print.line('');
  print.parts('', summaryOf(diff));
  return print.text;
}

function summaryOf({ contract, sequence, values }: SessionDiff): DiffPart[] {
  const total = contract.length + sequence.length + values.length;
  if (total === 0) return [{ text: 'No differences' }];
  const breaking = contract.filter((difference) => difference.breaking).length;
  const reported = differenceCounts({
    contract: contract.length,
    breaking,
    sequence: sequence.length,
    values: values.length,
  });
  const last = reported.length - 1;
  return [
    { text: `${countOf(total, 'difference')}:` },
    ...reported.map((count, index) => ({ text: index === last ? count : `${count},` })),
  ];
}

function contractLines(difference: ContractDifference, print: DiffPrinter): void {
  const { subject, name, change, breaking, path, detail, messages } = difference;
  const mark = change === 'changed' ? '~' : change === 'added' ? '+' : '-';
  const place = path === undefined || path === '$' ? '' : oneLine(path);
  print.parts('  ', [
    { text: `${mark} ${subject} ${oneLine(name)}`, tone: mark },
    { text: place, tone: mark },
    { text: detail, tone: mark },
    { text: breaking ? 'BREAKING' : '', tone: 'alarm' },
    { text: numbers(messages) },
  ]);
  if (change === 'changed') sides(difference, '      ', print);
}

const SIGNS = { added: '+', removed: '-', reordered: '~' } as const;

function sequenceLine({ change, call }: SequenceDifference, print: DiffPrinter): void {
  const mark = SIGNS[change];
  const [title, ...given] = callTexts(call, print);
  const sent = [`${mark} ${title}`, ...given, change].map((text): DiffPart => ({ text, tone: mark }));
  print.parts('  ', [...sent, { text: numbers(call.messages) }]);
}

function valueLines(differences: readonly ValueDifference[], print: DiffPrinter): void {
  const [first] = differences;
  if (first === undefined) return;
  print.parts(
    '  ',
    [...callTexts(first.call, print), numbers(first.call.messages)].map((text) => ({ text })),
  );
  for (const difference of differences.slice(0, MAX_PER_CALL)) {
    print.line(`    ${difference.path === '$' ? 'the whole response' : oneLine(difference.path)}`);
    sides(difference, '      ', print);
  }
  const hidden = differences.length - MAX_PER_CALL;
  if (hidden > 0) print.line(`    … and ${hidden} more`);
}

/** `> tools/call search`, and its arguments. */
function callTexts({ direction, method, name, params }: NamedCall, print: DiffPrinter): string[] {
  const title = oneLine(`${PRINTED_ARROWS[direction]} ${callTitle({ method, name })}`);
  const given = argumentsIn(params);
  if (given === undefined) return [title];
  const room = Math.min(MAX_ARGUMENTS, print.roomBehind(widthOf(title) + BESIDE_CALL));
  return [title, beginningOf(given, room)];
}

/** Both values below each other, starting near the first difference. */
function sides({ a, b }: BothSides<JsonText | undefined>, margin: string, print: DiffPrinter): void {
  const [was, is] = excerptsOf(a, b, Math.min(MAX_VALUE, print.roomBehind(margin.length + 2)));
  if (was === is) return;
  const line = (mark: '-' | '+', text: string): void => print.line(margin + print.toned(mark, `${mark} ${text}`));
  if (was !== undefined) line('-', was);
  if (is !== undefined) line('+', is);
}

/** `(A #004 #005, B #006 #007)`, numbered as in `inspect`. */
function numbers({ a, b }: BothSides<readonly number[]>): string {
  const side = (letter: string, sequences: readonly number[]): string[] =>
    sequences.length === 0 ? [] : [[letter, ...sequences.map(numberText)].join(' ')];
  return `(${[...side('A', a), ...side('B', b)].join(', ')})`;
}

function byCall(values: readonly ValueDifference[]): ValueDifference[][] {
  const groups: ValueDifference[][] = [];
  for (const value of values) {
    const last = groups.at(-1);
    if (last?.[0]?.call === value.call) last.push(value);
    else groups.push([value]);
  }
  return groups;
}

/** At least this many characters of a value are shown, however narrow the terminal is. */
const SHORTEST = 20;
/** The indentation of continuation lines. */
const BELOW = '      ';

/** The tone of a text, which determines its color. */
type LineTone = '+' | '-' | '~' | 'strong' | 'alarm';
const CODES: Readonly<Record<LineTone, readonly [number, number]>> = {
  '+': [32, 39],
  '-': [31, 39],
  '~': [33, 39],
  strong: [1, 22],
  alarm: [31, 39],
};

/** A part of a line that is not wrapped. */
interface DiffPart {
  readonly text: string;
  readonly tone?: LineTone;
}

/** Collects lines, in color if the terminal supports it. */
class DiffPrinter {
  text = '';
  readonly #style: TableStyle;

  constructor(style: TableStyle) {
    this.#style = style;
  }

  line(text: string): void {
    this.text += `${text}\n`;
  }

  title(text: string): void {
    this.line(`\n${this.toned('strong', text)}`);
  }

  toned(tone: LineTone, text: string): string {
    const [on, off] = CODES[tone];
    return this.#style.hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }

  /** Prints parts on one line if they fit, otherwise on several. Empty parts are omitted. */
  parts(indent: string, parts: readonly DiffPart[]): void {
    let margin = indent;
    let line = '';
    let length = margin.length - 1;
    for (const { text, tone } of parts.filter((part) => part.text !== '')) {
      const needed = widthOf(text) + 1;
      if (line !== '' && length + needed > this.#style.width) {
        this.line(line);
        line = '';
        margin = BELOW;
        length = margin.length - 1;
      }
      line += (line === '' ? margin : ' ') + (tone === undefined ? text : this.toned(tone, text));
      length += needed;
    }
    this.line(line);
  }

  /** How many characters of a value fit after `before` characters. */
  roomBehind(before: number): number {
    return Math.max(SHORTEST, this.#style.width - before);
  }
}
