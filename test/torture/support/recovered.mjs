// Recovers the sessions of a folder, and looks for files that should be gone.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SECRET } from './killed-stdio.mjs';
import { mcpreel } from './reel.mjs';

const run = promisify(execFile);

/** Resolves with the number of recovered messages, and what is wrong after that. */
export async function recoverIn(folder) {
  const home = join(folder, 'home');
  const env = { PATH: process.env.PATH ?? '', MCPREEL_HOME: home };
  const journals = pointersIn(home).map(
    (name) => JSON.parse(readFileSync(join(home, 'journals', name), 'utf8')).journal,
  );
  const { stdout, stderr } = await run(process.execPath, [mcpreel(), 'sessions', 'recover'], { cwd: folder, env });
  const faults = stderr === '' ? [] : [`recovering said ${stderr}`];
  for (const name of pointersIn(home)) faults.push(`the pointer ${name} is left`);
  for (const journal of journals) if (existsSync(journal)) faults.push(`${journal} is left`);
  for (const name of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const path = join(name.parentPath, name.name);
    if (readFileSync(path).includes(SECRET)) faults.push(`${path} has a secret`);
  }
  const [, count] = /recovered (\d+) message/.exec(stdout.replaceAll(',', '')) ?? [];
  return { messages: Number(count ?? 0), faults };
}

function pointersIn(home) {
  try {
    return readdirSync(join(home, 'journals'));
  } catch {
    return [];
  }
}
