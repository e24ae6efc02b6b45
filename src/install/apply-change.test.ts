import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { applyUnwrap, applyWrap } from './apply-change.ts';
import { InstallLedger } from './ledger.ts';
import { planUnwrap, planWrap, type WrapChange } from './plan-change.ts';
import { entriesIn, type SurveyedFile, survey } from './survey.ts';

const text = '{"mcpServers":{"x":{"command":"a","args":["b"]}}}';
let folder = '';
let config = '';
let ledger: InstallLedger;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpreel-test-'));
  config = join(folder, '.cursor/mcp.json');
  mkdirSync(join(folder, '.cursor'));
  writeFileSync(config, text);
  ledger = new InstallLedger(join(folder, 'state'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function surveyed(): Promise<SurveyedFile> {
  const place = { platform: 'linux', home: folder, cwd: join(folder, 'project'), env: {} };
  const [file] = (await survey(place, ledger, { clients: [], servers: [], elsewhere: true })).files;
  if (file === undefined) throw new Error('No file was found');
  return file;
}

async function wrapping(): Promise<WrapChange> {
  const found = await surveyed();
  return planWrap(found.file, entriesIn(found, 'plain'), () => ['/node', '/mcpreel.cjs', '--label', 'x', '--']);
}

describe('A config file that changed after it was read', () => {
  it('does not wrap a file that changed in the meantime, and leaves no other file behind', async () => {
    const change = await wrapping();
    writeFileSync(config, '{}');
    await expect(applyWrap(change, ledger)).rejects.toThrow('the file changed in the meantime');
    expect(readFileSync(config, 'utf8')).toBe('{}');
    expect(readdirSync(join(folder, '.cursor'))).toEqual(['mcp.json']);
    expect(await ledger.all()).toEqual([]);
  });

  it('does not unwrap a file that changed in the meantime, and keeps its backup and install record', async () => {
    const backup = await applyWrap(await wrapping(), ledger);
    const found = await surveyed();
    const change = planUnwrap(found.file, entriesIn(found, 'wrapped'), found.record?.entries ?? []);
    writeFileSync(config, `${readFileSync(config, 'utf8')}\n`);
    await expect(applyUnwrap(change, found.record, ledger)).rejects.toThrow('the file changed in the meantime');
    expect(existsSync(backup)).toBe(true);
    expect(await ledger.all()).toHaveLength(1);
  });
});

describe('An install record', () => {
  it('ignores an invalid install record', async () => {
    await applyWrap(await wrapping(), ledger);
    const [name = ''] = readdirSync(join(folder, 'state/install'));
    for (const broken of ['', '{', 'null', '{"version":1}', '{"version":2}']) {
      writeFileSync(join(folder, 'state/install', name), broken);
      expect(await ledger.all()).toEqual([]);
      expect((await surveyed()).entries).toMatchObject([{ state: 'wrapped' }]);
    }
  });

  it('drops the install record of an entry that the user unwrapped by hand', async () => {
    await applyWrap(await wrapping(), ledger);
    writeFileSync(config, text.replace('"x":', '"y":{"command":"y"},"x":'));
    const found = await surveyed();
    expect(found.entries.map(({ state }) => state)).toEqual(['plain', 'plain']);
    await applyWrap(
      planWrap(found.file, entriesIn(found, 'plain').slice(0, 1), () => ['/node', '/mcpreel.cjs', '--']),
      ledger,
    );
    expect((await ledger.all()).flatMap(({ entries }) => entries.map(({ path }) => path.at(-1)))).toEqual(['y']);
  });
});
