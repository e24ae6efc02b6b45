import { describe, expect, it } from 'vitest';
import { event, header, message } from '../../test/contract/factories.ts';
import { opposite } from './entry.ts';
import { ReelError } from './errors.ts';
import { entriesOf } from './session.ts';

describe('the model', () => {
  it('yields the entries of all batches in order, from the beginning on every pass', async () => {
    const entries = [event(), message(), message({ sequence: 1 })];
    const session = {
      format: 'memory',
      header: header(),
      footer: undefined,
      async *batches() {
        yield entries.slice(0, 2);
        yield [];
        yield entries.slice(2);
      },
    };
    for (let pass = 0; pass < 2; pass++) {
      const seen = [];
      for await (const entry of entriesOf(session)) seen.push(entry);
      expect(seen).toEqual(entries);
    }
  });

  it('returns the opposite of each direction', () => {
    expect(opposite('client_to_server')).toBe('server_to_client');
    expect(opposite('server_to_client')).toBe('client_to_server');
  });

  it('has one error class, with a code, a hint and a cause', () => {
    const cause = new Error('EACCES');
    const error = new ReelError('file-unreadable', 'Cannot read x', { hint: 'Check its mode.', cause });
    expect(error).toMatchObject({
      name: 'ReelError',
      code: 'file-unreadable',
      message: 'Cannot read x',
      hint: 'Check its mode.',
      cause,
    });
    expect(new ReelError('usage', 'x').hint).toBeUndefined();
  });
});
