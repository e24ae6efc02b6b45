import { ObjectView } from '../../json/object-view.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';
import { answerText } from '../../protocol/answer-text.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { Filter } from '../filter/filter.ts';
import type { FilterCall, FilterSubject } from '../filter/filter-subject.ts';

import type { TextChange } from './set-value.ts';

/** What is to become of messages that match. */
export interface Rule {
  readonly name: string;
  /** Every message matches if absent. */
  readonly filter?: Filter | undefined;
  /** How many messages that it would apply to it lets pass first. */
  readonly skip: number;
  /** How often it applies at most. */
  readonly times: number;
  readonly changes: readonly TextChange[];
  readonly delayMs: number;
  readonly ending?: RuleEnding | undefined;
}

/** What ends a message's way through the rules. */
export type RuleEnding =
  | { readonly kind: 'hold' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'answer'; readonly body: AnswerBody };

/** A message that has arrived, and what is known around it. */
export interface RuleSubject extends FilterSubject {
  readonly entry: MessageEntry;
}

/** How often a rule has applied. */
export interface RuleCount {
  readonly name: string;
  readonly applied: number;
}

/** What one rule does to a message. */
interface RuleEffect {
  readonly text: JsonText;
  /** Whether no other rule is asked. */
  readonly isLast: boolean;
  readonly holds: boolean;
  readonly end?: RuleOutcome['end'];
}

/** The rules of a session, and how often each has applied. */
export class Rulebook {
  /** Whether a rule asks for what only the call of a response tells. */
  readonly needsCalls: boolean;
  /** Whether a rule asks how a call went or how long it took. */
  readonly needsOutcomes: boolean;
  /** Whether a rule asks for the status of the HTTP exchange that a message came in. */
  readonly needsExchanges: boolean;
  readonly #rules: readonly CountedRule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => new CountedRule(rule));
    this.needsCalls = rules.some(({ filter }) => filter?.needsCalls);
    this.needsOutcomes = rules.some(({ filter }) => filter?.needsOutcomes);
    this.needsExchanges = rules.some(({ filter }) => filter?.needsExchanges);
  }

  /** Whether a `tool:` or `method:` of a rule fits a call. Calls that do not may be forgotten at once. */
  names(call: Pick<FilterCall, 'method' | 'name'>): boolean {
    return this.#rules.some(({ rule }) => rule.filter?.names(call));
  }

  /** How often each rule has applied, in their order. */
  counts(): readonly RuleCount[] {
    return this.#rules.map(({ rule, applied }) => ({ name: rule.name, applied }));
  }

  /**
   * What the rules make of a message, `undefined` where none applies. Each sees the message as those before it have left
   * it. One that has no effect on a message does not apply to it.
   */
  rule(subject: RuleSubject): RuleOutcome | undefined {
    const arrived = subject.entry.text;
    const applied: string[] = [];
    let seen = withoutForesight(subject);
    let delayMs = 0;
    for (const counted of this.#rules) {
      const effect = counted.take(seen, arrived);
      if (effect === undefined) continue;
      const { text, isLast, holds, end } = effect;
      applied.push(counted.rule.name);
      delayMs += counted.rule.delayMs;
      if (isLast) return { rules: applied, text, delayMs, holds, end };
      if (text !== seen.entry.text) seen = changedTo(text, seen);
    }
    return applied.length === 0 ? undefined : { rules: applied, text: seen.entry.text, delayMs, holds: false };
  }
}

class CountedRule {
  readonly rule: Rule;
  applied = 0;
  #skipped = 0;

  constructor(rule: Rule) {
    this.rule = rule;
  }

  take(subject: RuleSubject, arrived: JsonText): RuleEffect | undefined {
    const { filter, skip, times } = this.rule;
    if (this.applied >= times || filter?.matches(subject) === false) return undefined;
    const effect = effectOf(this.rule, subject.entry.text, arrived);
    if (effect === undefined || this.#isNothing(effect, subject.entry.text)) return undefined;
    if (this.#skipped < skip) {
      this.#skipped++;
      return undefined;
    }
    this.applied++;
    return effect;
  }

  #isNothing({ text, holds, end }: RuleEffect, before: JsonText): boolean {
    return text === before && !holds && end === undefined && this.rule.delayMs === 0;
  }
}

function effectOf({ changes, ending }: Rule, before: JsonText, arrived: JsonText): RuleEffect | undefined {
  const text = changes.reduce((changed, change) => change(changed), before);
  switch (ending?.kind) {
    case 'hold':
      return { text, isLast: true, holds: true };
    case 'drop':
      return { text, isLast: true, holds: false, end: { action: 'drop' } };
    case 'answer':
      return answered(ending.body, text, arrived);
    case undefined:
      return { text, isLast: false, holds: false };
  }
}

/** Of what is no request and no response there is nothing to answer. */
function answered(body: AnswerBody, text: JsonText, arrived: JsonText): RuleEffect | undefined {
  // Whoever asked waits for the id that it has sent, whatever rules have made of that.
  const { kind, id } = readEnvelope(arrived);
  if (kind === 'response') return { text: withBody(text, body), isLast: true, holds: false };
  if (kind !== 'request' || id === undefined) return undefined;
  return { text, isLast: true, holds: false, end: { action: 'answer', text: answerText(id, body.key, body.json) } };
}

/** How a call goes is known of its answer alone, also where somebody could tell more. */
function withoutForesight(subject: RuleSubject): RuleSubject {
  const { call, entry } = subject;
  if (call?.status === undefined && call?.durationMs === undefined) return subject;
  if (readEnvelope(entry.text).kind === 'response') return subject;
  return { ...subject, call: { method: call.method, name: call.name } };
}

function changedTo(text: JsonText, { entry, call, ...deps }: RuleSubject): RuleSubject {
  const { envelope: _, body: __, ...rest } = entry;
  // What is asked for may have changed; what is answered has not.
  const isAnswer = readEnvelope(text).kind === 'response';
  return { ...deps, entry: { ...rest, text, modified: true }, ...(isAnswer && { call }) };
}

/** What a response says: a result, or an error object. */
interface AnswerBody {
  readonly key: 'result' | 'error';
  readonly json: JsonText;
}

/** A response that says something else; its id and all else of it stay as they are. */
function withBody(response: JsonText, body: AnswerBody): JsonText {
  const view = ObjectView.of(response);
  if (view === undefined) return response;
  const [sent, ...more] = view.members.filter(({ key }) => key === 'result' || key === 'error');
  // Of a response that says two things none can be trusted to be the one that is read.
  if (sent === undefined || more.length > 0) return answerText(view.textOf('id') ?? 'null', body.key, body.json);
  const lead = sent.key === body.key ? response.slice(sent.keyStart, sent.start) : `"${body.key}":`;
  return response.slice(0, sent.keyStart) + lead + body.json + response.slice(sent.end);
}
