import { expect, it } from 'vitest';
import type { Entry } from '../../model/entry.ts';
import { OpenHolds } from './open-holds.ts';

const action = (raw: object): Entry => ({ kind: 'event', event: 'mcpreel.action', atMs: 5, raw: JSON.stringify(raw) });
const hold = (of: string, dir = 'in'): Entry => action({ action: 'hold', of, dir, text: { method: of } });
const release = (of: string): Entry => action({ action: 'release', of, as: 'forward', by: 'screen', ms: 1 });
const message = (proxyId: string): Entry => ({
  kind: 'message',
  sequence: 0,
  proxyId,
  atMs: 6,
  direction: 'client_to_server',
  text: '{}',
});

function open(...entries: readonly Entry[]): OpenHolds['facts'] {
  const holds = new OpenHolds();
  for (const entry of entries) holds.take([entry]);
  return holds.facts;
}

it('finds messages that were held and never released', () => {
  expect(open(hold('a'), hold('b', 'out'), release('a'), hold('c'), message('c'))).toEqual([
    { id: 'b', direction: 'server_to_client', text: '{"method":"b"}', atMs: 5, untilMs: 5, conversation: 0 },
  ]);
});

it('skips actions that are not valid holds', () => {
  expect(
    open(action({ action: 'hold' }), action({ action: 'save', path: 'x' }), action({ action: 'hold', of: 'x' })),
  ).toEqual([]);
});
