import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { unnamedHeader } from '../model/session.ts';
import { questionedTarget, recordedTarget } from './recorded-target.ts';

const deps = { env: { TOKEN: 'x', OTHER: 'y' }, folder: '/work' };

it('returns the command, the folder and the variables of a recorded server that the user must confirm', () => {
  const trace = '{"cwd":"/srv","env":["TOKEN"]}';
  const header = { ...unnamedHeader(''), transport: 'stdio', command: ['node', 'x.js'], keepsakes: { trace } } as const;
  expect(questionedTarget(recordedTarget(header, deps))).toEqual({
    command: ['node', 'x.js'],
    folder: resolve('/srv'),
    variables: ['TOKEN'],
  });
});

it('refuses a command that is too long to be read', () => {
  const header = { ...unnamedHeader(''), transport: 'stdio', command: ['node', 'x'.repeat(3 << 20)] } as const;
  expect(() => recordedTarget(header, deps)).toThrow('3145733 characters: too long to check');
});
