import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { phrasesIn } from '../../scripts/plain-phrases.mjs';
import { pathOf } from '../../src/cli/examples.ts';
import { wrappedOptions } from '../../src/cli/flags/wrapped-options.ts';
import { CommandOutput } from '../../src/cli/output.ts';
import { wholeProgram } from '../../src/cli/program.ts';
import { splitCommandLine } from '../../src/model/command-line.ts';
import { CommandPlace } from '../support/command-place.ts';
import { contextFor } from '../support/in-process.ts';
import { seedExample } from '../support/session-texts.ts';

const output = new CommandOutput(() => new PassThrough(), new PassThrough());
const context = { ...contextFor(output, { MCPREEL_HOME: '/nowhere' }, ''), execute: async () => undefined };
let commands: Command[] = [];

beforeAll(async () => {
  commands = every(await wholeProgram(context));
});

function every(command: Command): Command[] {
  return [command, ...command.commands.flatMap(every)];
}

function helpOf(command: Command): string {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) }).outputHelp();
  return parts.join('');
}

function examplesOf(command: Command): string[] {
  const [, examples = ''] = helpOf(command).split('\nExamples:\n');
  return examples.trimEnd().split('\n');
}

/** The arguments after `mcpreel` in an example, without shell syntax. */
function wordsOf(example: string): string[] {
  const line = example.replace(/^ {2}\$ /, '').replace(/^\w+=\S+ /, '');
  const [program, ...words] = splitCommandLine(line.replace(/ [<>|] .*$/, ''));
  expect(program).toBe('mcpreel');
  return words;
}

describe('the help of every command', () => {
  it('the help covers all commands', () => {
    const paths = commands.map(pathOf);
    expect(paths).toEqual(expect.arrayContaining(['mcpreel doctor', 'mcpreel proxy start', 'mcpreel baseline reset']));
    expect(paths.length).toBeGreaterThan(30);
  });

  it('the help of record has its flags in groups, and fits into 100 lines', () => {
    const record = commands.find((command) => pathOf(command) === 'mcpreel record');
    const help = record === undefined ? '' : helpOf(record);
    expect(help.split('\n').length).toBeLessThanOrEqual(100);
    const headings = [...help.matchAll(/^([A-Z].*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([
      'Arguments',
      'Server',
      'Server over HTTP',
      'Clients',
      'Terminal UI',
      'Interception',
      'Recording',
      'Redaction',
      'Options',
      'Examples',
    ]);
  });

  it('a command with more than eight flags has them in groups', () => {
    for (const command of commands.filter(({ options }) => options.length > 8)) {
      const others = command.options.filter((option) => option.helpGroupHeading === undefined && !option.hidden);
      expect([pathOf(command), others.map(({ flags }) => flags)]).toEqual([pathOf(command), []]);
    }
  });

  it('a default is shown as (default: 30), also one that is not applied by the command-line library', () => {
    const record = commands.find((command) => pathOf(command) === 'mcpreel record');
    expect(record && helpOf(record)).toContain('forward held messages after this (default: 30)\n');
    for (const command of commands) {
      for (const { flags, description } of command.options) {
        expect([flags, description]).not.toEqual([flags, expect.stringMatching(/\(\d[^)]*\)|absent/)]);
      }
    }
  });

  it('only import lists the input formats', () => {
    const listing = commands.filter((command) => helpOf(command).includes('"mcpsnoop"')).map(pathOf);
    expect(listing).toEqual(['mcpreel import', 'mcpreel trace import-mcp']);
  });

  it('the help has no phrases to avoid', () => {
    for (const command of commands)
      expect([pathOf(command), phrasesIn(helpOf(command))]).toEqual([pathOf(command), []]);
  });

  it('every command has two or three examples, all for that command', () => {
    for (const command of commands) {
      const lines = examplesOf(command);
      expect([pathOf(command), [2, 3].includes(lines.length)]).toEqual([pathOf(command), true]);
      for (const line of lines) {
        expect(line).toMatch(/^ {2}\$ (\w+=\S+ )?mcpreel /);
        expect(`${line} `).toContain(`${pathOf(command)} `);
      }
    }
  });

  it('every example uses only flags, values and arguments that the command accepts', async () => {
    for (const example of commands.flatMap(examplesOf)) {
      // Each example needs its own program, because options keep their values.
      let command = await wholeProgram(context);
      let words = wordsOf(example);
      if (words[0]?.startsWith('-')) {
        expect(() => wrappedOptions(words)).not.toThrow();
        continue;
      }
      for (let child = named(command, words[0]); child !== undefined; child = named(command, words[0])) {
        command = child;
        words = words.slice(1);
      }
      const { operands, unknown } = command.parseOptions(words);
      expect({ example, unknown }).toEqual({ example, unknown: [] });
      const { registeredArguments: taken } = command;
      const fits = operands.length <= taken.length || taken.at(-1)?.variadic === true;
      expect({ example, fits }).toEqual({ example, fits: true });
    }
  });

  it('every flag is described, and the help fits into 80 columns', () => {
    for (const command of commands) {
      const [options = ''] = helpOf(command).split(
        /\n(?:Examples|Held messages are printed as JSON Lines. Write decisions to standard input):\n/,
      );
      expect(options.split('\n').filter((line) => line.length > 80)).toEqual([]);
      for (const option of command.options) expect([option.flags, option.description]).not.toContain('');
    }
  });
});

function named(command: Command, name: string | undefined): Command | undefined {
  return command.commands.find((child) => child.name() === name);
}

describe('an unknown word or invalid value', () => {
  it.each([
    ['inspct seed.json', "Unknown command 'inspct'. Did you mean inspect?"],
    ['sessions lst', "Unknown command 'lst'. Did you mean list?"],
    ['proxy strat -- node', "Unknown command 'strat'. Did you mean start?"],
    ['--versio', "Unknown option '--versio'. Did you mean --version?"],
    ['inspect seed.json --verbos', "Unknown option '--verbos'. Did you mean --verbose?"],
    ['record --sesion-file out.json -- node', "Unknown option '--sesion-file'. Did you mean --session-file?"],
    ['--sesion-file out.json -- node', "Unknown option '--sesion-file'. Did you mean --session-file?"],
    ['--lable=x -- node', "Unknown option '--lable'. Did you mean --label?"],
    ['install -- --max-byte 64k', "Unknown option '--max-byte'. Did you mean --max-bytes?"],
    [
      'inspect seed.json --format tracce',
      'Unknown --format: tracce. Did you mean trace? Use one of auto, trace, json,',
    ],
    ['export seed.json -f jsonrcp', 'Unknown --output-format: jsonrcp. Did you mean jsonrpc? Use one of json,'],
    ['export seed.json --redact secrts', 'Unknown --redact: secrts. Did you mean secrets? Use one of off, secrets,'],
    [
      'record --redact secrts -- node',
      'Unknown --redact: secrts. Did you mean secrets? Use one of off, secrets, strict.',
    ],
    ['--redact secrts -- node', 'Unknown --redact: secrts. Did you mean secrets? Use one of off, secrets, strict.'],
    ['--transport stdoi -- node', 'Unknown --transport: stdoi. Did you mean stdio? Use one of stdio, sse,'],
    ['install --client curser', 'Unknown --client: curser. Did you mean cursor? Use one of claude-desktop,'],
    ['completion bsh', 'Unknown shell: bsh. Did you mean bash? Use one of bash, zsh, fish.'],
    ['inspect seed.json --bogus', "Unknown option '--bogus'. See mcpreel inspect --help."],
    ['--bogus -- node', "Unknown option '--bogus'. See mcpreel record --help."],
    ['sessions prune', "Required option '--older-than <age>' not specified. See mcpreel sessions prune --help."],
    ['export seed.json -o', "Option '-o, --output <file>' argument missing. See mcpreel export --help."],
    ['diff seed.json', "Missing required argument 'b'. See mcpreel diff --help."],
    ['inspect a b', "Too many arguments for 'inspect'. Expected 1 argument but got 2. See mcpreel inspect --help."],
    ['check seed.json --max-duration x', '--max-duration x is not a number of milliseconds. Example: 500'],
    ['check seed.json --fail-on pendig', 'Unknown --fail-on: pendig. Did you mean pending? Use one of error, pending,'],
    ['export seed.json --conversation x', '--conversation x is not a whole number of at least 0. Example: 5'],
    ['replay seed.json --timeout x -- node', '--timeout x is not a number of seconds. Example: 1.5'],
    ['replay seed.json --speed x -- node', '--speed x is not a number of at least 0. Example: 2'],
    ['--hold-timeout x -- node', '--hold-timeout x is not a number of seconds. Example: 1.5'],
    ['--max-bytes 1k --max-files 0 -- node', '--max-files 0 is not a whole number of at least 1. Example: 5'],
    ['view seed.json --port x', '--port x is not a port. Use a number up to 65535, or 0 for a free port.'],
  ])('mcpreel %s is rejected with one line that suggests a correction', async (line, reported) => {
    const place = new CommandPlace();
    place.write('seed.json', seedExample);
    const { code, stdout, stderr } = await place.run(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toContain(`Error: ${reported}`);
  });
});
