import { ObjectView } from '../../json/object-view.ts';
import { utf8Length } from '../../json/utf8-length.ts';
import type { MessageEntry } from '../../model/entry.ts';
import { idKey } from '../../protocol/envelope.ts';
import { toolOf } from '../calls/call-reply.ts';
import type {
  EntryKind,
  FilterComparison,
  FilterExpression,
  FilterMark,
  FilterTerm,
  FilterValue,
  RegexTerm,
} from './expression.ts';
import { type FilterSubject, keyOf, type SubjectFacts, saysFailure } from './filter-subject.ts';
import { escapeHiding, namePattern } from './text-pattern.ts';

export type Predicate = (facts: SubjectFacts) => boolean;
type RegexTest = (term: RegexTerm) => (text: string) => boolean;

/** Compiles a filter expression into a predicate. Cheap terms are evaluated first. */
export function predicateOf(expression: FilterExpression, regexTest: RegexTest): Predicate {
  switch (expression.kind) {
    case 'all': {
      const parts = cheapFirst(expression.of).map((part) => predicateOf(part, regexTest));
      return (facts) => parts.every((part) => part(facts));
    }
    case 'any': {
      const parts = cheapFirst(expression.of).map((part) => predicateOf(part, regexTest));
      return (facts) => parts.some((part) => part(facts));
    }
    case 'not': {
      const part = predicateOf(expression.of, regexTest);
      return (facts) => !part(facts);
    }
    case 'regex':
      return textPredicate(regexTest(expression));
    default:
      return termPredicate(expression);
  }
}

const COSTS: Readonly<Record<FilterTerm['kind'], number>> = {
  direction: 0,
  mark: 0,
  conversation: 0,
  status: 1,
  comparison: 1,
  entry: 2,
  name: 2,
  id: 2,
  text: 3,
  regex: 4,
};

function cheapFirst(parts: readonly FilterExpression[]): readonly FilterExpression[] {
  return parts.toSorted((a, b) => costOf(a) - costOf(b));
}

function costOf(expression: FilterExpression): number {
  if (expression.kind === 'not') return costOf(expression.of);
  if (expression.kind === 'all' || expression.kind === 'any') return Math.max(0, ...expression.of.map(costOf));
  return COSTS[expression.kind];
}

function termPredicate(term: Exclude<FilterTerm, RegexTerm>): Predicate {
  switch (term.kind) {
    case 'direction':
      return ({ subject: { entry } }) => entry.kind === 'message' && entry.direction === term.direction;
    case 'mark':
      return ({ subject: { entry } }) => entry.kind === 'message' && isMarked(entry, term.mark);
    case 'conversation':
      return ({ subject: { entry } }) => entry.kind !== 'other' && (entry.conversation ?? 0) === term.number;
    case 'status':
      return (facts) => statusOf(facts) === term.status;
    case 'entry':
      return entryPredicate(term.entry);
    case 'name':
      return namePredicate(term.key, namePattern(term.value.text, term.value.quoted));
    case 'id':
      return idPredicate(term.value);
    case 'comparison':
      return comparisonPredicate(term);
    case 'text':
      return wordPredicate(term.text);
  }
}

function isMarked(entry: MessageEntry, mark: FilterMark): boolean {
  return (mark === 'edited' ? entry.modified : entry[mark]) === true;
}

function statusOf(facts: SubjectFacts): string | undefined {
  const { entry, call } = facts.subject;
  if (call?.status !== undefined) return call.status;
  if (entry.kind !== 'message' || facts.names(entry).kind !== 'response') return undefined;
  return saysFailure(entry.text) ? 'error' : 'ok';
}

function entryPredicate(kind: EntryKind): Predicate {
  if (kind === 'stderr' || kind === 'stray') {
    const event = kind === 'stderr' ? 'stdio.stderr' : 'stdio.noise';
    return ({ subject: { entry } }) => entry.kind === 'event' && entry.event === event;
  }
  if (kind === 'http') return ({ subject: { entry } }) => entry.kind === 'event' && entry.event.startsWith('http.');
  return (facts) => facts.subject.entry.kind === 'message' && facts.names(facts.subject.entry).kind === kind;
}

function namePredicate(key: 'tool' | 'method' | 'server', fits: (name: string) => boolean): Predicate {
  return (facts) => {
    const name = key === 'server' ? facts.subject.server : calledName(key, facts);
    return name !== undefined && fits(name);
  };
}

/** The tool or method of a message; for a response, that of its request. */
function calledName(key: 'tool' | 'method', facts: SubjectFacts): string | undefined {
  const { entry, call } = facts.subject;
  if (call !== undefined) return key === 'method' ? call.method : toolOf(call);
  // A response names no tool or method, so it need not be parsed.
  if (entry.kind !== 'message' || entry.correlatedId !== undefined) return undefined;
  return facts.names(entry)[key];
}

function idPredicate({ text, quoted }: FilterValue): Predicate {
  const asString = `s${text}`;
  const isNumber = !quoted && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  const asNumber = isNumber ? idKey(text) : asString;
  return ({ subject: { entry } }) => {
    const key = entry.kind === 'message' ? keyOf(entry) : undefined;
    return key !== undefined && (key === asString || key === asNumber);
  };
}

function comparisonPredicate({ key, operator, value }: FilterComparison): Predicate {
  const holds = (measured: number | undefined): boolean => measured !== undefined && compare(measured, operator, value);
  switch (key) {
    case 'dur':
      return ({ subject: { call } }) => holds(call?.durationMs);
    case 'http':
      return ({ subject }) => holds(httpStatusOf(subject));
    case 'size':
      return ({ text }) => {
        // A UTF-16 code unit takes one to three bytes in UTF-8, so few texts must be measured.
        const isClear = value < text.length || value > 3 * text.length;
        return holds(isClear ? text.length : utf8Length(text));
      };
  }
}

function compare(measured: number, operator: FilterComparison['operator'], value: number): boolean {
  switch (operator) {
    case '>':
      return measured > value;
    case '>=':
      return measured >= value;
    case '<':
      return measured < value;
    case '<=':
      return measured <= value;
    case '=':
      return measured === value;
  }
}

function httpStatusOf({ entry, httpStatus }: FilterSubject): number | undefined {
  const isExchange = entry.kind === 'event' && entry.event === 'http.exchange';
  return isExchange ? ObjectView.of(entry.raw)?.number('status') : httpStatus;
}

function wordPredicate(word: string): Predicate {
  const requested = word.toLowerCase();
  const hiding = escapeHiding(requested);
  return (facts) =>
    facts.text.includes(word) ||
    facts.lowered.includes(requested) ||
    (facts.text.includes(hiding) && facts.loweredPlain.includes(requested));
}

function textPredicate(test: (text: string) => boolean): Predicate {
  return (facts) => test(facts.text) || (facts.text.includes('\\') && test(facts.plain));
}
