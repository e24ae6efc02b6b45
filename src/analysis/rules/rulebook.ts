import { ObjectView } from '../../json/object-view.ts';
import type { JsonText, MessageEntry } from '../../model/entry.ts';
import type { RuleOutcome } from '../../model/rule-outcome.ts';
import { answerText } from '../../protocol/answer-text.ts';
import { readEnvelope } from '../../protocol/envelope.ts';
import type { Filter } from '../filter/filter.ts';
import type { FilterCall, FilterSubject } from '../filter/filter-subject.ts';

import type { TextChange } from './set-value.ts';

/** A rule: which messages it applies to, and what it does to them. */
export interface Rule {
  readonly name: string;
  /** If absent, every message matches. */
  readonly filter?: Filter | undefined;
  /** How many matching messages pass before the rule first applies. */
  readonly skip: number;
  /** The maximum number of times that the rule applies. */
  readonly times: number;
  readonly changes: readonly TextChange[];
  readonly delayMs: number;
  readonly ending?: RuleEnding | undefined;
}

/** An action that ends the processing of a message by rules. */
export type RuleEnding =
  | { readonly kind: 'hold' }
  | { readonly kind: 'drop' }
  | { readonly kind: 'answer'; readonly body: AnswerBody };

/** A received message with its context. */
export interface RuleSubject extends FilterSubject {
  readonly entry: MessageEntry;
}

/** How often a rule has applied. */
export interface RuleCount {
  readonly name: string;
  readonly applied: number;
}

/** The effect of one rule on a message. */
interface RuleEffect {
  readonly text: JsonText;
  /** Whether no further rule is applied. */
  readonly isLast: boolean;
  readonly holds: boolean;
  readonly end?: RuleOutcome['end'];
}

/** The rules of a session, with a count of how often each has applied. */
export class Rulebook {
  /** Whether a rule needs the call of a response. */
  readonly needsCalls: boolean;
  /** Whether a rule needs the status or the duration of a call. */
  readonly needsOutcomes: boolean;
  /** Whether a rule needs the status of a message's HTTP exchange. */
  readonly needsExchanges: boolean;
  readonly #rules: readonly CountedRule[];

  constructor(rules: readonly Rule[]) {
    this.#rules = rules.map((rule) => new CountedRule(rule));
    this.needsCalls = rules.some(({ filter }) => filter?.needsCalls);
    this.needsOutcomes = rules.some(({ filter }) => filter?.needsOutcomes);
    this.needsExchanges = rules.some(({ filter }) => filter?.needsExchanges);
  }

  /** Whether a `tool:` or `method:` term of a rule matches a call. Callers need not remember other calls. */
  names(call: Pick<FilterCall, 'method' | 'name'>): boolean {
    return this.#rules.some(({ rule }) => rule.filter?.names(call));
  }

  /** How often each rule has applied, in order. */
  counts(): readonly RuleCount[] {
    return this.#rules.map(({ rule, applied }) => ({ name: rule.name, applied }));
  }

  /**
   * Applies the rules to a message; `undefined` if no rule applies. Each rule receives the message as changed by the
   * rules before it. A rule without an effect on a message does not count as applied.
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

/** A message that is neither a request nor a response cannot be answered. */
function answered(body: AnswerBody, text: JsonText, arrived: JsonText): RuleEffect | undefined {
  // The sender waits for the id that it sent, even if a rule changed it.
  const { kind, id } = readEnvelope(arrived);
  if (kind === 'response') return { text: withBody(text, body), isLast: true, holds: false };
  if (kind !== 'request' || id === undefined) return undefined;
  return { text, isLast: true, holds: false, end: { action: 'answer', text: answerText(id, body.key, body.json) } };
}

/** Removes the outcome of the call unless the message is its response, so that rules work as on live traffic. */
function withoutForesight(subject: RuleSubject): RuleSubject {
  const { call, entry } = subject;
  if (call?.status === undefined && call?.durationMs === undefined) return subject;
  if (readEnvelope(entry.text).kind === 'response') return subject;
  return { ...subject, call: { method: call.method, name: call.name } };
}

function changedTo(text: JsonText, { entry, call, ...others }: RuleSubject): RuleSubject {
  const { envelope: _, body: __, ...rest } = entry;
  // A change may alter which tool or method a request names, but not which request a response answers.
  const isAnswer = readEnvelope(text).kind === 'response';
  return { ...others, entry: { ...rest, text, modified: true }, ...(isAnswer && { call }) };
}

/** The content of a response: a result, or an error object. */
interface AnswerBody {
  readonly key: 'result' | 'error';
  readonly json: JsonText;
}

/** Replaces the content of a response; its id and all other members stay unchanged. */
function withBody(response: JsonText, body: AnswerBody): JsonText {
  const view = ObjectView.of(response);
  if (view === undefined) return response;
  const [sent, ...more] = view.members.filter(({ key }) => key === 'result' || key === 'error');
  // If a response has several results or errors, it is unknown which one the receiver reads.
  if (sent === undefined || more.length > 0) return answerText(view.textOf('id') ?? 'null', body.key, body.json);
  const lead = sent.key === body.key ? response.slice(sent.keyStart, sent.start) : `"${body.key}":`;
  return response.slice(0, sent.keyStart) + lead + body.json + response.slice(sent.end);
}
