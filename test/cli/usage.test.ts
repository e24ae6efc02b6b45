import { expect, it } from 'vitest';
import { CommandPlace } from '../support/command-place.ts';
import { seedExample } from '../support/session-texts.ts';

it.each<[what: string, line: string]>([
  ['an unknown command', 'bogus'],
  ['an unknown command of the longer spelling', 'proxy bogus'],
  ['an unknown command with a server', 'bogus -- node'],
  ['an unknown flag', '--bogus'],
  ['an unknown flag of a command', 'inspect seed.json --bogus'],
  ['an unknown flag of the wrapper', '--bogus -- node'],
  ['an unknown flag of record', 'record --bogus -- node'],
  ['no session to look at', 'inspect'],
  ['no session to export', 'export -o out.json'],
  ['two sessions', 'inspect seed.json seed.json'],
  ['one session in two ways', 'export seed.json --session-file seed.json'],
  ['a format that is not read', 'inspect seed.json --format xml'],
  ['a format that is not written', 'export seed.json -o out.xml -f xml'],
  ['a flag without its value', 'export seed.json -o'],
  ['an argument that a command does not take', 'demo now'],
  ['no server to wrap', '--'],
  ['no server to record', 'record'],
  ['no server to start', 'proxy start --transport stdio'],
  ['a blank server', 'record --target-command '],
  ['a server in both ways', '--target-command node -- node'],
  ['a server to record in both ways', 'record --target-command node -- node'],
  ['a server that no shell could take apart', "record --target-command node'"],
  ['a transport that does not exist', '--transport pigeon -- node'],
  ['a transport that does not exist, to record', 'record --transport pigeon -- node'],
  ['a flag of the wrapper without its value', '--label -- node'],
  ['a flag of the wrapper with another for its value', '--label --session-file out.json -- node'],
  ['a note without a value', '--meta target -- node'],
  ['a variable without a name', 'record --env =x -- node'],
  ['a program without a name', 'record --target-command ""'],
  ['one file for two recordings', '--trace-file out.json --session-file ./out.json -- node'],
  ['a word before the server', '--label x node -- node'],
])('%s is a usage error, reported in one line and with exit code 2', async (_, line) => {
  const place = new CommandPlace();
  place.write('seed.json', seedExample);
  const { code, stdout, stderr } = await place.run(line.split(' '));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^Error: [A-Z-][^\n]+\n$/);
  expect(place.files()).toEqual(['seed.json']);
});

it('prints the usage without arguments, with exit code 0', async () => {
  const { code, stdout, stderr } = await new CommandPlace().run([]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: mcpreel \[options\] -- <server command…>\n/);
});

it.each(['--help', 'record --help', 'inspect --help', 'export --help', 'demo --help', 'proxy start --help'])(
  'prints help on stdout for %s',
  async (line) => {
    const { code, stdout, stderr } = await new CommandPlace().run(line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: mcpreel /);
    expect(stdout).toMatch(/\nExamples:\n {2}\$ /);
  },
);

it.each(['--version', '-V'])('prints its version for %s', async (flag) => {
  const { code, stdout } = await new CommandPlace().run([flag]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${__MCPREEL_VERSION__}\n` });
});

it.each(['--version -v', '-v --version', '-V -v', '-v -V', '-Vv', '-vV'])(
  'includes Node and the platform in the version for %s',
  async (line) => {
    const { code, stdout } = await new CommandPlace().run(line.split(' '));
    const { version, platform, arch } = process;
    const expected = `mcpreel ${__MCPREEL_VERSION__} (Node ${version.slice(1)}, ${platform} ${arch})\n`;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  },
);

it('rejects -v without --version', async () => {
  const { code, stderr } = await new CommandPlace().run(['-v']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "Error: Unknown option '-v'. See mcpreel --help.\n" });
});

it.each([
  ['frobnicate', "Unknown command 'frobnicate'. See mcpreel --help. To record a server, put its command after --."],
  [
    '--intercept',
    'No server given for --intercept. Put its command after --, like: mcpreel --intercept -- node server.js',
  ],
  [
    '--hold tool:x',
    'No server given for --hold. Put its command after --, like: mcpreel --hold filter -- node server.js',
  ],
  ['record --env =x -- node', '--env =… has no key. Use key=value.'],
  ['record --hold ( -- node', '--hold "(": Expected a term after ( (column 2)'],
  ['help foo', "Unknown command 'foo'. See mcpreel --help. To record a server, put its command after --."],
  ['hold --filter (', '--filter "(": Expected a term after ( (column 2)'],
  ['inspect a --session-file b', 'The session is given twice: a and --session-file b. Remove one of them.'],
  ['baseline reset files --all', 'A server, files, and --all cannot be used together. Remove one of them.'],
  ['import a --no-redact', '--no-redact needs --to. Add --to session or --to trace.'],
  ['import a --out-trace x --out-dir y', '--out-trace and --out-dir cannot be used together. Use one of them.'],
])('names the flag, the value and the next step: mcpreel %s', async (line, message) => {
  const { code, stderr } = await new CommandPlace().run(line.split(' '));
  expect({ code, stderr }).toEqual({ code: 2, stderr: `Error: ${message}\n` });
});
