import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { notLinux, unless } from '../support/unless.ts';

const programs = fileURLToPath(new URL('../../scripts/programs.mjs', import.meta.url));
const FIND = `
const { findPrograms } = await import(process.argv[1]);
const found = [await findPrograms(['zsh']), await findPrograms(['age', 'fish'])];
console.log(JSON.stringify(found));`;

/** Looks for programs twice, with only this apt-get on the PATH. */
function foundWith(place: Place, aptGet: string | undefined): { readonly found: unknown; readonly stderr: string } {
  if (aptGet !== undefined) {
    place.write('bin/apt-get', `#!/bin/sh\necho "$@" >> ${place.path('calls')}\n${aptGet}\n`);
    place.write('bin/sudo', '#!/bin/sh\nshift\nexec "$@"\n');
    for (const name of ['apt-get', 'sudo']) chmodSync(place.path(`bin/${name}`), 0o755);
  }
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', FIND, programs], {
    env: { PATH: place.path('bin') },
    encoding: 'utf8',
  });
  return { found: JSON.parse(stdout), stderr };
}

describe('programs that tests need', unless(notLinux), () => {
  it('installs missing programs after one update of the package list', () => {
    const place = new Place();
    const { found, stderr } = foundWith(place, 'case "$*" in *install*) for name; do : > "$PATH/$name"; done;; esac');
    const path = (name: string): string => place.path(`bin/${name}`);
    expect(found).toEqual([{ zsh: path('zsh') }, { age: path('age'), fish: path('fish') }]);
    expect(stderr).toBe(
      'programs: installing zsh (apt-get install)\nprograms: installing age, fish (apt-get install)\n',
    );
    const calls = place.read('calls').trim().split('\n');
    expect(calls.filter((call) => call.endsWith('update'))).toHaveLength(1);
    expect(calls.at(-1)).toMatch(/install -y --no-install-recommends age fish$/);
  });

  it('skips programs that cannot be installed, and reports why in one line', () => {
    const { found, stderr } = foundWith(new Place(), 'case "$*" in *update) exit 100;; esac');
    expect(found).toEqual([{}, {}]);
    expect(stderr).toBe(
      'programs: cannot install zsh: apt-get update failed (exit 100). Left out: the completion tests in zsh\n' +
        'programs: cannot install age, fish: apt-get update failed (exit 100). ' +
        'Left out: the tests against the program age, the completion tests in fish\n',
    );
  });

  it('skips missing programs if there is no package manager', () => {
    const { stderr } = foundWith(new Place(), undefined);
    expect(stderr).toContain('programs: not installed: zsh. Left out: the completion tests in zsh\n');
  });
});
