import { fileURLToPath } from 'node:url';
import { armor } from 'age-encryption';
import { describe, expect, it } from 'vitest';
import { encryptionFor } from '../../src/files/age-encrypted.ts';
import { AGE_KEY_FILE, AGE_RECIPIENT } from '../support/age-sample.ts';
import { Place } from '../support/place.ts';

const PEAK = fileURLToPath(new URL('peak.cjs', import.meta.url));
const MILLION = 1_000_000;

const META =
  '{"t":"2026-01-02T03:04:05.000Z","type":"meta","v":1,"id":"abcd1234-0000-4000-8000-000000000000","label":"x","transport":"stdio","command":["x"]}\n';

const line = (raw: string, dir: 'in' | 'out' = 'in'): string =>
  `{"t":"2026-01-02T03:04:05.100Z","dir":"${dir}","id":"m-${dir}","raw":${raw}}\n`;

const call = (args: string): string =>
  META +
  line(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":${args}}}`) +
  line('{"jsonrpc":"2.0","id":1,"result":{}}', 'out');

const bombs: Readonly<Record<string, () => string>> = {
  'a million levels': () => call(`${'{"a":['.repeat(MILLION / 2)}1${']}'.repeat(MILLION / 2)}`),
  '300,000 members': () => call(`{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
  'one key a million times': () => call(`{${'"a":1,'.repeat(MILLION)}"b":1}`),
  'a line of 32 MB': () => call(`"${'x'.repeat(32 << 20)}"`),
  'half a million empty lines': () => META + '\n'.repeat(MILLION / 2) + line('{"jsonrpc":"2.0","id":1,"method":"x"}'),
  '100,000 broken lines': () => META + '{\n'.repeat(100_000) + line('{"jsonrpc":"2.0","id":1,"method":"x"}'),
  'numbers of a million digits': () => call(`[${'9'.repeat(MILLION)},-1e-${'9'.repeat(MILLION)},1e${'9'.repeat(99)}]`),
  'keys that objects have already': () =>
    call('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"hasOwnProperty":1,"toString":1}').replaceAll(
      '"name":"x"',
      '"name":"__proto__"',
    ),
};

const commands: readonly (readonly string[])[] = [
  ['inspect', '--findings', '--filter', '/(a+)+$/ or status:ok', 'bomb'],
  ['redact', 'bomb', '-o', 'redacted'],
];

/** The limits of a run, on a slow machine. */
const MOST = { seconds: 15, megabytes: 700 };

async function expectModest(place: Place, args: readonly string[]): Promise<void> {
  const peak = `peak-${args[0]}.json`;
  const env = { NODE_OPTIONS: `--require ${PEAK}`, PEAK_FILE: place.path(peak) };
  const { code, stdout, stderr } = await place.run(args, { env });
  const why = `${args.join(' ')}: ${stderr.slice(0, 300)}`;
  expect([0, 3], why).toContain(code);
  expect(`${stdout}${stderr}`, why).not.toMatch(/RangeError|TypeError|stack|heap/);
  const took = JSON.parse(place.read(peak)) as { seconds: number; megabytes: number };
  expect(took.seconds, why).toBeLessThan(MOST.seconds);
  expect(took.megabytes, why).toBeLessThan(MOST.megabytes);
}

describe('an oversized recording', { timeout: 120_000 }, () => {
  it.each(Object.entries(bombs))('reads an oversized recording in modest time and memory: %s', async (_, make) => {
    const place = new Place();
    place.write('bomb', make());
    await Promise.all(commands.map((args) => expectModest(place, args)));
  });

  it('decrypts a large recording, armored or not, in modest time and memory', async () => {
    const place = new Place();
    const sealed: Uint8Array[] = [];
    const plain = call(`"${'x'.repeat(32 << 20)}"`);
    for await (const chunk of (await encryptionFor([AGE_RECIPIENT]))([plain])) sealed.push(chunk);
    place.write('key', AGE_KEY_FILE);
    place.write('sealed', Buffer.concat(sealed));
    place.write('armored', armor.encode(Buffer.concat(sealed)));
    for (const name of ['sealed', 'armored']) await expectModest(place, ['inspect', '--identity', 'key', name]);
  });

  it('prints a deeply nested recording in less than twice its size', async () => {
    const place = new Place();
    const text = bombs['a million levels']?.() ?? '';
    place.write('bomb', text);
    const { code, bytes } = await place.run(['inspect', '-v', 'bomb']);
    expect(code).toBe(0);
    expect(bytes.length).toBeLessThan(2 * text.length);
  });
});
