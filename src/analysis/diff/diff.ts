import { inOwnMemory } from '../../json/own-memory.ts';
import { sliceAt } from '../../json/splice.ts';
import type { Direction, JsonText } from '../../model/entry.ts';
import { entriesOf, type RecordedSession } from '../../model/session.ts';
import { type ContractDifference, compareContracts } from '../contract/contract-diff.ts';
import { alignKeys } from './alignment.ts';
import { type CallInterval, reordered } from './call-order.ts';
import type { CallTable, ComparedCall } from './call-table.ts';
import { compareAnswers, type Difference } from './compare-answers.ts';
import { type DiffOptions, rulesFor, surveySession } from './surveyed-session.ts';

/** A value for each of the two sessions. */
export interface BothSides<T> {
  readonly a: T;
  readonly b: T;
}

/** A call, with the data to find it in the recordings. */
export interface NamedCall {
  readonly direction: Direction;
  readonly method: string;
  readonly name: string | undefined;
  readonly params: JsonText | undefined;
  /** The sequences of its request and responses in each session. */
  readonly messages: BothSides<readonly number[]>;
}

/** A call that only one session has, or that changed its order. */
export interface SequenceDifference {
  readonly change: 'added' | 'removed' | 'reordered';
  readonly call: NamedCall;
}

/** A difference between the responses to a call. A side is `undefined` if it has no value at the path. */
export interface ValueDifference {
  readonly call: NamedCall;
  readonly path: string;
  readonly a: JsonText | undefined;
  readonly b: JsonText | undefined;
}

/** All differences between two sessions; A is the earlier one. */
export interface SessionDiff {
  readonly contract: readonly ContractDifference[];
  readonly sequence: readonly SequenceDifference[];
  readonly values: readonly ValueDifference[];
  /** The number of compared calls. */
  readonly calls: BothSides<number>;
}

/** One call in both sessions, or in the only one that has it. */
type FoundDifferences =
  | CallPair
  | { readonly a: ComparedCall; readonly b?: never }
  | { readonly a?: never; readonly b: ComparedCall };
type AnswerTexts = BothSides<ReadonlyMap<number, JsonText>>;

/**
 * Compares two sessions. The first pass over each session reads all calls and keeps a few numbers per call. The second
 * pass reads the texts of differing calls. Only those texts have to fit into memory.
 */
export async function diffSessions(sessions: BothSides<RecordedSession>, options: DiffOptions): Promise<SessionDiff> {
  const a = await surveySession(sessions.a, options);
  const b = await surveySession(sessions.b, options);
  const { differing, sequence } = matchCalls({ a: a.calls, b: b.calls });
  const reported: FoundDifferences[] = [...differing, ...sequence.map(({ found }) => found)];
  const texts = {
    a: await textsOf(
      sessions.a,
      reported.map((found) => found.a),
    ),
    b: await textsOf(
      sessions.b,
      reported.map((found) => found.b),
    ),
  };
  return {
    contract: compareContracts(a.contract, b.contract, options.profile),
    sequence: sequence.map(({ change, found }) => ({ change, call: nameCall(found, texts) })),
    values: differing.flatMap((pair) => valueDifferences(pair, texts, options)),
    calls: { a: a.calls.length, b: b.calls.length },
  };
}

interface MatchedCalls {
  /** Calls in both sessions with different responses. */
  readonly differing: readonly CallPair[];
  readonly sequence: readonly { readonly change: SequenceDifference['change']; readonly found: FoundDifferences }[];
}

function matchCalls({ a, b }: BothSides<CallTable>): MatchedCalls {
  const { partners, moved, onlyA, onlyB } = alignKeys(a.keys(), b.keys());
  const pairAt = ([inA, inB]: readonly [number, number]): CallPair => ({ a: a.at(inA), b: b.at(inB) });
  const pairs = [...moved];
  const differing: CallPair[] = [];
  for (const [inA, inB] of partners.entries()) {
    if (inB < 0) continue;
    if (a.digestAt(inA) !== b.digestAt(inB)) differing.push(pairAt([inA, inB]));
    // The other pairs are needed only if calls moved.
    if (moved.length > 0) pairs.push([inA, inB]);
  }
  const movedPairs = moved.map(pairAt);
  const differingMoved = movedPairs.filter((pair) => pair.a.digest !== pair.b.digest);
  return {
    differing: differingTwins([...differing, ...differingMoved].sort(byStart)).sort(byStart),
    sequence: [
      ...onlyA.map((place) => ({ change: 'removed' as const, found: { a: a.at(place) } })),
      ...reorderedWithin(movedPairs, pairs.map(pairAt)).map((found) => ({ change: 'reordered' as const, found })),
      ...onlyB.map((place) => ({ change: 'added' as const, found: { b: b.at(place) } })),
    ],
  };
}

function byStart(one: CallPair, other: CallPair): number {
  return one.a.start - other.a.start;
}

/** Order is defined only within a conversation. */
function reorderedWithin(moved: readonly CallPair[], all: readonly CallPair[]): CallPair[] {
  const allOf = byDialogue(all);
  return [...byDialogue(moved)].flatMap(([dialogue, pairs]) => reordered(pairs, allOf.get(dialogue) ?? []));
}

function byDialogue(pairs: readonly CallPair[]): Map<string, CallPair[]> {
  const dialogues = new Map<string, CallPair[]>();
  for (const pair of pairs) {
    const key = `${pair.a.conversation} ${pair.b.conversation}`;
    const known = dialogues.get(key);
    if (known === undefined) dialogues.set(key, [pair]);
    else known.push(pair);
  }
  return dialogues;
}

/** The texts of these calls, by message sequence. */
async function textsOf(
  session: RecordedSession,
  calls: readonly (ComparedCall | undefined)[],
): Promise<Map<number, JsonText>> {
  const requested = new Set(calls.flatMap((call) => (call === undefined ? [] : [call.start, ...call.answers])));
  const texts = new Map<number, JsonText>();
  if (requested.size === 0) return texts;
  for await (const entry of entriesOf(session)) {
    if (entry.kind === 'message' && requested.has(entry.sequence)) texts.set(entry.sequence, inOwnMemory(entry.text));
  }
  return texts;
}

function nameCall(found: FoundDifferences, texts: AnswerTexts): NamedCall {
  const { a, b } = found;
  const { direction, method, name } = found.a ?? found.b;
  const request = a === undefined ? texts.b.get(b.start) : texts.a.get(a.start);
  const numbers = (call: ComparedCall | undefined): number[] => (call ? [call.start, ...call.answers] : []);
  const params = request === undefined ? undefined : sliceAt(request, ['params']);
  return { direction, method, name, params, messages: { a: numbers(a), b: numbers(b) } };
}

function valueDifferences(pair: CallPair, texts: AnswerTexts, options: DiffOptions): ValueDifference[] {
  const { a, b } = pair;
  // It is a race whether a response is sent before the cancellation arrives.
  if (a.isCancelled && b.isCancelled && a.answers.length !== b.answers.length) return [];
  const call = nameCall(pair, texts);
  const rules = rulesFor(a, options);
  const compare = (inA: number | undefined, inB: number | undefined): Difference[] => {
    const recorded = texts.a.get(inA ?? -1);
    const replayed = texts.b.get(inB ?? -1);
    if (recorded !== undefined && replayed !== undefined) return compareAnswers(recorded, replayed, rules);
    return [{ path: '$', recorded, replayed }];
  };
  const rounds = Math.max(a.answers.length, b.answers.length);
  const differences = [
    ...(options.profile === 'strict' ? compare(a.start, b.start) : []),
    ...Array.from({ length: rounds }, (_, n) => compare(a.answers[n], b.answers[n])).flat(),
  ];
  return differences.map(({ path, recorded, replayed }) => ({ call, path, a: recorded, b: replayed }));
}

/** One call in two sessions. */
interface CallPair {
  readonly a: ComparedCall;
  readonly b: ComparedCall;
}

/** Calls with the same key that are more than this many apart are assumed not to be concurrent. */
const REACH = 64;

/**
 * Returns the calls that were answered differently, given the differing pairs in order. Identical concurrent calls have
 * no order, so each is paired with a call that received the same response, if there is one.
 */
function differingTwins(pairs: readonly CallPair[]): CallPair[] {
  const kinds = new Map<number, CallPair[]>();
  for (const pair of pairs) {
    const known = kinds.get(pair.a.key);
    if (known === undefined) kinds.set(pair.a.key, [pair]);
    else known.push(pair);
  }
  for (const twins of kinds.values()) exchangeAnswers(twins);
  return [...kinds.values()].flat().filter(differs);
}

function exchangeAnswers(twins: CallPair[]): void {
  for (const [place, pair] of twins.entries()) {
    if (!differs(pair)) continue;
    for (let other = Math.max(0, place - REACH); other <= place + REACH; other++) {
      const twin = twins[other];
      if (twin === undefined || !differs(twin) || twin.b.digest !== pair.a.digest || !ranAtOnce(pair, twin)) continue;
      twins[place] = { a: pair.a, b: twin.b };
      twins[other] = { a: twin.a, b: pair.b };
      break;
    }
  }
}

function differs({ a, b }: CallPair): boolean {
  return a.digest !== b.digest;
}

/** Whether two calls are concurrent in either session. */
function ranAtOnce(one: CallPair, other: CallPair): boolean {
  const isOneDialogue = one.a.conversation === other.a.conversation;
  return !isOneDialogue || overlap(one.a, other.a) || overlap(one.b, other.b);
}

function overlap(one: CallInterval, other: CallInterval): boolean {
  return one.start < other.end && other.start < one.end;
}
