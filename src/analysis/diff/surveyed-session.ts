import { fingerprint } from '../../json/fingerprint.ts';
import type { RecordedSession } from '../../model/session.ts';
import type { Call } from '../calls/call.ts';
import { toolOf } from '../calls/call-reply.ts';
import { callsOf } from '../calls/call-tracker.ts';
import { type Contract, ContractReader, isFurtherPage, reportedByContract } from '../contract/contract.ts';
import type { Profile } from '../import/profile.ts';
import { CallTable, type ComparedCall } from './call-table.ts';
import type { IgnoreRules } from './ignore-rules.ts';
import { readTree, type TreeRules } from './value-tree.ts';

/** Reads a session once and collects its calls and its contract for a comparison. */

/** Which differences count. */
export interface DiffOptions {
  readonly profile: Profile;
  readonly ignore: IgnoreRules;
}

/** The data that the first pass over a session collects. */
export interface SurveyedSession {
  readonly calls: CallTable;
  readonly contract: Contract;
}

export async function surveySession(session: RecordedSession, options: DiffOptions): Promise<SurveyedSession> {
  const contract = new ContractReader({ profile: options.profile, ignored: options.ignore.pathsFor(undefined) });
  const calls = new CallTable();
  const polls = new Map<number, ComparedCall>();
  for await (const call of callsOf(session)) {
    contract.take(call);
    if (!isCompared(call, options.profile)) continue;
    const compared = comparedCall(call, options);
    // The number of polls depends on timing; only the final status of the task counts.
    if (call.method === 'tasks/get' && call.origin !== undefined) polls.set(call.origin, compared);
    else calls.add(compared);
  }
  for (const poll of polls.values()) calls.add(poll);
  calls.sort();
  return { calls, contract: contract.result() };
}

/** Pings are sent at arbitrary times, and further pages of a listing belong to the contract. */
function isCompared(call: Call, profile: Profile): boolean {
  if (call.method === 'ping') return profile === 'strict';
  return call.status !== 'ok' || !isFurtherPage(call);
}

/** The comparison rules for the messages of a call. */
export function rulesFor(call: Pick<Call, 'method' | 'name'>, { profile, ignore }: DiffOptions): TreeRules {
  return { profile, ignored: ignore.pathsFor(toolOf(call)), resultWithout: reportedByContract(call.method) };
}

function comparedCall(call: Call, options: DiffOptions): ComparedCall {
  const { request, answer, rounds, direction, method, name, conversation } = call;
  const rules = rulesFor(call, options);
  const answers = [...rounds.map((round) => round.answer), ...(answer === undefined ? [] : [answer])];
  const sent = options.profile === 'strict' ? [request, ...answers] : answers;
  return {
    key: keyOf(call, rules),
    digest: fingerprint(sent.map(({ text }) => identityOf(text, rules)).join()),
    direction,
    method,
    name,
    conversation,
    start: request.sequence,
    end: answer?.sequence ?? Infinity,
    answers: answers.map(({ sequence }) => sequence),
    isCancelled: call.cancelledBy !== undefined,
  };
}

function identityOf(text: string, rules: TreeRules): number {
  return readTree(text, rules)?.identity ?? fingerprint(text);
}

/** Requests that begin a conversation. They match even if the client's data in them differs. */
const HANDSHAKES = new Set(['initialize', 'server/discover']);

/**
 * Calls are matched by meaning even in the strict profile; otherwise a new progress token would make every call a
 * different one.
 */
function keyOf({ request, direction, method, name }: Call, rules: TreeRules): number {
  const profile = rules.profile === 'shape' ? 'shape' : 'semantic';
  const params = HANDSHAKES.has(method)
    ? undefined
    : readTree(request.text, { ...rules, profile })?.members.get('params');
  const sent = [...(params?.members ?? [])].flatMap(([key, { identity, form, members }]) => {
    const saysNothing = key === '_meta' || (key === 'arguments' && form === 'object' && members.size === 0);
    return saysNothing ? [] : [`${key} ${identity}`];
  });
  return fingerprint(JSON.stringify([direction, method, name ?? null, ...sent.sort()]));
}
