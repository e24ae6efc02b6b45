import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../support/place.ts';

/** zsh's completion cache; building it takes longer than everything else here. */
export const KNOWN_COMPLETIONS: string = join(mkdtempSync(join(tmpdir(), 'mcpreel-test-')), 'zcompdump');

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The completions that a shell offers for the last of these words after it loaded the script. */
export function offered(shell: Shell, script: string, words: readonly string[], place: Place): string[] {
  place.write('script', script);
  const env = { ...place.environment(), KNOWN_COMPLETIONS, HOME: place.folder, TERM: 'dumb', LC_ALL: 'C.UTF-8' };
  const [program = '', ...args] = commandFor(shell, words, place);
  const { stdout, stderr, error } = spawnSync(program, args, { cwd: place.folder, env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (stderr !== '') throw new Error(stderr);
  const text = shell === 'zsh' ? place.read('offered') : stdout;
  // Fish appends a description after a tab; file completion appends a slash to folders.
  return text
    .split('\n')
    .map((line) => line.replace(/\t.*/, ''))
    .filter((line) => line !== '')
    .sort();
}

function commandFor(shell: Shell, words: readonly string[], place: Place): readonly string[] {
  switch (shell) {
    case 'bash':
      return ['bash', '--norc', '--noprofile', '-c', BASH, 'bash', ...words];
    case 'fish':
      return ['fish', '--no-config', '-c', FISH, words.join(' ')];
    case 'zsh':
      place.write('offered', '');
      place.write('setup', ZSH_SETUP);
      return ['zsh', '-f', '-c', ZSH, 'zsh', words.join(' ')];
  }
}

const BASH = `source ./script
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_mcpreel
printf '%s\\n' "\${COMPREPLY[@]}"`;

const FISH = `source ./script
complete -C $argv[1]`;

/** zsh completes only on a terminal: the script creates one, types the line and Tab, and exits after the completion. */
const ZSH = `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'source ./setup'
zpty -r shell line '*now:*'
zpty -w -n shell "$1"$'\\t'
while zpty -r shell line; do :; done`;

/** Records every offered completion, and ignores calls that only compute something. */
const ZSH_SETUP = `autoload -Uz compinit && compinit -C -d "$KNOWN_COMPLETIONS"
source ./script
compadd() {
  local -a hits
  if [[ " \${argv[1,(i)(-|--)]} " == *\\ -[OAD]\\ * ]]; then builtin compadd "$@"; return; fi
  builtin compadd -O hits "$@"
  print -rl -- $hits >> offered
  builtin compadd "$@"
}
leave() { exit }
comppostfuncs=(leave)
bindkey '^I' complete-word
PROMPT=now:
`;
