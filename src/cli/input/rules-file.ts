import { createReadStream } from 'node:fs';
import { readRules } from '../../analysis/rules/read-rules.ts';
import type { Rulebook } from '../../analysis/rules/rulebook.ts';
import { reasonOf } from '../../files/reason.ts';
import { ReelError } from '../../model/errors.ts';
import { parseYaml } from './rules-yaml.ts';

const LARGEST_FILE = 1 << 20;

/** Loads rules from a YAML file. Any problem is a usage error. */
export async function loadRules(path: string): Promise<Rulebook> {
  return readRules(await parseYaml(await readText(path), path));
}

async function readText(path: string): Promise<string> {
  const bytes = await readBytes(path);
  if (bytes.length > LARGEST_FILE) throw new ReelError('usage', `${path} is larger than 1 MiB`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ReelError('usage', `${path} is not UTF-8`, { cause });
  }
}

/** Reads just enough to notice that the file is too large. */
async function readBytes(path: string): Promise<Uint8Array> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of createReadStream(path, { end: LARGEST_FILE })) chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  } catch (cause) {
    throw new ReelError('usage', `Cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}
