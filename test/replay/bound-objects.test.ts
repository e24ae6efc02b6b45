import { describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { replay } from './replaying.ts';
import { answering, writeTalk } from './told-session.ts';

const list = (...notes: [id: string, title: string][]): string =>
  JSON.stringify(notes.map(([id, title]) => ({ id, title })));
const RECORDED = list(['note-0001', 'milk'], ['note-0002', 'eggs']);

/** Replays a list and a deletion of the first note; returns the id that was sent, the verdict and the error. */
async function deleted(live: Readonly<Record<string, string>>): Promise<object> {
  const place = new CommandPlace();
  writeTalk(
    place,
    [
      ['list', RECORDED],
      ['delete', 'deleted', { id: 'note-0001' }],
    ],
    'session.json',
  );
  const { outcome, results } = await replay(place, ['--timeout', '2', '--', ...answering(live)]);
  const { sent_message, verdict, error } = results.at(-1) ?? {};
  return { code: outcome.code, sent: sent_message, verdict, error };
}

const sent = (id: string): object => expect.objectContaining({ params: { name: 'delete', arguments: { id } } });

describe('a replayed deletion', () => {
  it('deletes the recorded object in a list that has a new first element', async () => {
    const live = list(['note-0000', 'bread'], ['note-0001', 'milk'], ['note-0002', 'eggs']);
    expect(await deleted({ list: live, delete: 'deleted' })).toMatchObject({
      sent: sent('note-0001'),
      verdict: 'match',
    });
  });

  it('deletes the object with the new id in a list of another order', async () => {
    const live = list(['note-0078', 'eggs'], ['note-0077', 'milk']);
    expect(await deleted({ list: live, delete: 'deleted' })).toMatchObject({ sent: sent('note-0077') });
  });

  it.each([
    ['new objects cannot be told apart', { list: list(['note-0077', 'x'], ['note-0078', 'x']), delete: 'deleted' }],
    [
      'another object has the recorded id',
      { list: list(['note-0001', 'eggs'], ['note-0003', 'milk']), delete: 'deleted' },
    ],
    ['the live list never arrived', { delete: 'deleted' }],
  ])('does not send the deletion if %s', async (_, live) => {
    expect(await deleted(live)).toEqual({
      code: 3,
      sent: null,
      verdict: 'error',
      error: 'Not sent: cannot determine which live value replaces "note-0001"',
    });
  });
});

it.each(['tool:delete', 'tool:delete or tool:list'])(
  'does not send an id if --select "%s" leaves out the call that returned it',
  async (selected) => {
    const place = new CommandPlace();
    const calls = [
      ['list', '[]'],
      ['create', '{"id":"note-0002"}'],
      ['delete', 'deleted', { id: 'note-0002' }],
    ] as const;
    writeTalk(place, calls, 'session.json');
    const live = { list: list(['note-0002', 'tax']), delete: 'deleted' };
    const { outcome, results } = await replay(place, ['--select', selected, '--', ...answering(live)]);
    expect(outcome.code).toBe(3);
    expect(results.at(-1)).toMatchObject({
      verdict: 'error',
      sent_message: null,
      error: 'Not sent: the call that returned "note-0002" was not replayed',
    });
  },
);
