import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { runInProcess } from '../support/in-process.ts';
import { unless, without } from '../support/unless.ts';
import { KNOWN_COMPLETIONS, offered, SHELLS } from './shell-completions.ts';

afterAll(() => rmSync(dirname(KNOWN_COMPLETIONS), { recursive: true, force: true }));

describe.each(SHELLS)('mcpreel completion %s', (shell) => {
  it('prints only a script', async () => {
    const { code, stdout, stderr } = await new CommandPlace().run(['completion', shell]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Completion of mcpreel for ${shell}`);
  });

  describe('completion in the shell', unless(without(shell)), () => {
    let script = '';
    beforeAll(async () => {
      script = (await runInProcess(['completion', shell], { cwd: tmpdir(), env: {}, input: '' })).stdout;
    });
    const complete = (line: string, prepare: (place: CommandPlace) => void = () => undefined): string[] => {
      const place = new CommandPlace();
      prepare(place);
      return offered(shell, script, ['mcpreel', ...line.split(' ')], place);
    };

    it('offers the commands that start with the word', () => {
      expect(complete('ins')).toEqual(['inspect', 'install']);
      expect(complete('do')).toEqual(['doctor']);
    });

    it('offers the subcommands of a command', () => {
      expect(complete('sessions r')).toEqual(['recover', 'rm']);
      expect(complete('proxy ')).toEqual(expect.arrayContaining(['export', 'inspect', 'replay', 'start']));
    });

    it('offers only the flags of the command', () => {
      expect(complete('inspect --f')).toEqual(['--filter', '--findings', '--format']);
      expect(complete('proxy start --max')).toEqual([
        '--max-bytes',
        '--max-conversations',
        '--max-files',
        '--max-message',
      ]);
      expect(complete('sessions prune --o')).toEqual(['--older-than']);
    });

    it('offers the flags of the recorder before the server command', () => {
      expect(complete('--session')).toEqual(['--session-file']);
      expect(complete('--redact s')).toEqual(['secrets', 'strict']);
    });

    it('offers the values of a flag that has a fixed set', () => {
      expect(complete('export x -f js')).toEqual(['json', 'jsonrpc']);
      expect(complete('inspect --format tr')).toEqual(['trace']);
      expect(complete('completion z')).toEqual(['zsh']);
    });

    it('offers sessions by file name and id', () => {
      const prepare = (place: CommandPlace): void => {
        place.write('38-session.json', '');
        place.write('home/sessions/2026-01-02T03-04-05-678Z-my-server-385a99db.jsonl', '');
        place.write('home/sessions/2026-01-02T03-04-05-678Z-my-server-385a99db.part-2.jsonl', '');
        place.write('home/sessions/2026-01-02T03-04-05-678Z-other-c777214b.jsonl', '');
      };
      expect(complete('inspect 38', prepare)).toEqual(['38-session.json', '385a99db']);
      expect(complete('sessions show 38', prepare)).toEqual(['385a99db']);
    });

    it('offers the newest 50 sessions, or the newest 50 that start with the digits', () => {
      const idOf = (n: number): string => `${n % 2 === 0 ? 'a' : 'b'}${String(n).padStart(7, '0')}`;
      const prepare = (place: CommandPlace): void => {
        for (let n = 100; n < 250; n++) place.write(`home/sessions/2026-01-02T03-04-05-${n}Z-s-${idOf(n)}.jsonl`, '');
      };
      const newest = Array.from({ length: 50 }, (_, n) => idOf(200 + n)).sort();
      expect(complete('sessions show ', prepare)).toEqual(newest);
      const even = Array.from({ length: 50 }, (_, n) => idOf(150 + 2 * n)).sort();
      expect(complete('sessions show a', prepare)).toEqual(even);
      expect(complete('sessions show x', prepare)).toEqual([]);
    });

    it('treats a word after -- as part of the server command', () => {
      const prepare = (place: CommandPlace): void => void place.write('insert.txt', '');
      expect(complete('record -- cat ins', prepare)).not.toContain('inspect');
      expect(complete('--label x -- cat --sess', prepare)).not.toContain('--session-file');
    });

    it('does not treat the value of a flag as a command', () => {
      expect(complete('record --label sessions --listen-h')).toEqual(['--listen-host']);
    });
  });
});
