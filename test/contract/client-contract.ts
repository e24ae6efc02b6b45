import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyUnwrap, applyWrap } from '../../src/install/apply-change.ts';
import type { InstallClient, InstallPlace } from '../../src/install/client.ts';
import { readConfig } from '../../src/install/config-syntax.ts';
import { InstallLedger } from '../../src/install/ledger.ts';
import { planUnwrap, planWrap } from '../../src/install/plan-change.ts';
import { nameOf, type StdioEntry, wordsOf } from '../../src/install/server-entry.ts';
import { entriesIn, type InstallSurvey, survey } from '../../src/install/survey.ts';
import { wordsBefore } from '../../src/install/wrapping.ts';
import { corpusNames, corpusText } from './files.ts';

const recorder = { command: '/usr/bin/node', args: ['/opt/mcp reel/"dist"/mcpreel.cjs'] };
const before = (name: string): string[] => wordsBefore(recorder, name, ['--max-bytes', '64M']);
const all = { clients: [], servers: [], elsewhere: true };

/** The same file in layouts that editors and users produce. */
const layouts: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'with CRLF': (text) => text.replaceAll('\n', '\r\n'),
  'with tabs': (text) => text.replaceAll(/^ +/gm, (indent) => '\t'.repeat(Math.ceil(indent.length / 2))),
  'with a byte order mark': (text) => `\ufeff${text}`,
  'without a line break at its end': (text) => text.trimEnd(),
};

/** The tests that every client's files in test/corpus/install must pass. */
export function describeClient(client: InstallClient): void {
  describe(client.title, () => {
    const names = corpusNames(`install/${client.id}`);
    const cases = names.flatMap((name) => Object.keys(layouts).map((layout) => [name, layout] as const));

    it.each(cases)('wraps and restores %s %s byte for byte', async (name, layout) => {
      const config = new ConfigPlace(client, name, layouts[layout]?.(corpusText(`install/${client.id}/${name}`)) ?? '');
      const plain = config.commandLines();
      expect(await config.wrap()).toBeGreaterThan(0);
      const wrapped = config.commandLines();
      for (const [path, words] of plain) {
        const own = before((JSON.parse(path) as string[]).at(-1) ?? '');
        const isByHand = words.join(' ').includes('mcpreel');
        expect(wrapped.get(path)).toEqual(isByHand ? words : [...own, ...words]);
      }
      expect(config.read(), 'what stands in an environment').toContain(config.secret());
      expect(await config.wrap(), 'servers to wrap, the second time').toBe(0);

      expect(await config.unwrap()).toEqual({ exact: true });
      expect(config.read()).toBe(config.text);
      expect(config.files(), 'what is left behind').toEqual([join(config.path)]);
    });

    it.each(cases)('restores the command lines of %s %s when the install record is lost', async (name, layout) => {
      const config = new ConfigPlace(client, name, layouts[layout]?.(corpusText(`install/${client.id}/${name}`)) ?? '');
      const plain = config.commandLines();
      await config.wrap();
      const forgotten = [...plain.keys()].filter((path) => JSON.parse(path).at(-1) === '');
      rmSync(join(config.state), { recursive: true });
      expect(await config.unwrap()).toEqual({ exact: false });
      const words = config.commandLines();
      // A server without a name has no label, and an unlabeled wrapper may have been written by the user.
      for (const path of forgotten) plain.delete(path);
      for (const [path, own] of plain) expect(words.get(path)).toEqual(own);
    });
  });
}

/** A home folder with one configuration file. */
class ConfigPlace {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  readonly state: string = join(this.folder, 'state');
  readonly path: string;
  readonly text: string;
  readonly #client: InstallClient;
  readonly #place: InstallPlace;
  readonly #ledger: InstallLedger = new InstallLedger(this.state);

  constructor(client: InstallClient, name: string, text: string) {
    const [home, cwd] = [join(this.folder, 'home'), join(this.folder, 'project')];
    this.#client = client;
    this.#place = { platform: 'linux', home, cwd, env: {} };
    const paths = client.files(this.#place);
    this.path = (name.startsWith('project.') ? paths.at(-1) : paths[0]) ?? '';
    this.text = text;
    mkdirSync(dirname(this.path), { recursive: true });
    writeFileSync(this.path, text, { mode: 0o640 });
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
  }

  read(): string {
    return readFileSync(this.path, 'utf8');
  }

  /** A secret in the file, or an empty string. */
  secret(): string {
    return this.text.includes('s3cret-in-env') ? 's3cret-in-env' : '';
  }

  files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }

  /** The command line of every stdio server, by its path in the file. */
  commandLines(): Map<string, string[]> {
    const entries = readConfig(this.#client, this.read()).entries.filter((entry) => entry.kind === 'stdio');
    return new Map(entries.map((entry) => [JSON.stringify(entry.path), wordsOf(entry)]));
  }

  async wrap(): Promise<number> {
    const surveyed = (await this.#survey()).files[0];
    const entries: StdioEntry[] = surveyed ? entriesIn(surveyed, 'plain') : [];
    if (surveyed === undefined || entries.length === 0) return 0;
    const change = planWrap(surveyed.file, entries, before);
    expect(JSON.stringify(change.hunks), 'what is shown').not.toContain('s3cret');
    const backup = await applyWrap(change, this.#ledger);
    expect(readFileSync(backup, 'utf8')).toBe(this.text);
    if (process.platform !== 'win32') {
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      expect(statSync(this.path).mode & 0o777).toBe(0o640);
    }
    expect(change.records.map(({ path }) => path.at(-1)).sort()).toEqual(entries.map(nameOf).sort());
    return entries.length;
  }

  async unwrap(): Promise<{ exact: boolean }> {
    const surveyed = (await this.#survey()).files[0];
    if (surveyed === undefined) throw new Error('No file was found');
    const change = planUnwrap(surveyed.file, entriesIn(surveyed, 'wrapped'), surveyed.record?.entries ?? []);
    await applyUnwrap(change, surveyed.record, this.#ledger);
    return { exact: change.unwrapped.every(({ exact }) => exact) };
  }

  #survey(): Promise<InstallSurvey> {
    return survey(this.#place, this.#ledger, all);
  }
}
