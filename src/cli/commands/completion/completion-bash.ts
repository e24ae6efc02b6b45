import {
  type CompletedCommand,
  type CompletedFlag,
  type CompletionActions,
  type CompletionWords,
  everyCommand,
  MAX_IDS,
} from './completion-tree.ts';

/**
 * Generates the completion script for bash 3.2 and later. The script contains everything it needs: pressing Tab starts
 * no process except those that list files.
 */
export function bashCompletion(tree: CompletedCommand, sessionsFolder: string): string {
  const commands = everyCommand(tree);
  const recorder = namesOf(tree.children.find(({ path }) => path[0] === 'record')?.flags ?? []);
  const steps = commands.filter(({ path }) => path.length > 0);
  return `${HEAD}
_mcpreel_ids() {
  local files id i found=0 LC_ALL=C
  [[ $1 =~ ^[0-9a-f]*$ ]] || return
  files=(${sessionsFolder}/*-"$1"*.jsonl)
  # Names begin with a time, so the newest are last.
  for ((i = \${#files[@]} - 1; i >= 0 && found < ${MAX_IDS}; i--)); do
    [[ \${files[i]} =~ -([0-9a-f]{8})(-[0-9]+)?([.]part-[0-9-]+)?[.]jsonl$ ]] || continue
    id=\${BASH_REMATCH[1]}
    # A trace may have several parts.
    if [[ $id == "$1"* && " \${COMPREPLY[*]} " != *" $id "* ]]; then COMPREPLY+=("$id"); ((++found)); fi
  done
}

_mcpreel() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path='' dashes=0 flags='' i line
  COMPREPLY=()
  # The value in --flag=value is a separate word, and so is the sign.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
${steps.map(({ path }) => `      ' ${path.join(' ')}') path=' ${path.join(' ')}' ;;`).join('\n')}
      *) break ;;
    esac
  done
  for ((; i < COMP_CWORD; i++)); do
    if [[ \${COMP_WORDS[i]} == -- ]]; then dashes=$i; break; fi
  done
  case "$path" in
${commands.map((command) => branch(command, recorder)).join('\n')}
  esac
}

complete -o bashdefault -o default -F _mcpreel mcpreel
`;
}

const HEAD = `# Completion of mcpreel for bash, made by: mcpreel completion bash

_mcpreel_words() {
  local line
  compopt +o default +o bashdefault 2> /dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$2")
}

_mcpreel_files() {
  local line
  compopt -o filenames 2> /dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$2")
}

# Of a server's command, what bash itself would complete it with.
_mcpreel_server() {
  if declare -F _command_offset > /dev/null; then _command_offset "$1"
  elif ((COMP_CWORD == $1)); then _mcpreel_files -c "$cur"
  fi
}
`;

function branch({ path, flags, children, argument, afterDashes }: CompletedCommand, recorder: string): string {
  const otherwise = children.length > 0 ? words(children.map((child) => child.path.at(-1) ?? '')) : given(argument);
  return `    '${path.map((word) => ` ${word}`).join('')}')
      flags='${namesOf(flags)}'
      if ((dashes)); then ${afterDashesOf(afterDashes, recorder)}
      else case "$prev" in
${valueCases(flags)}        *) if [[ $cur == -* ]]; then _mcpreel_words "$flags" "$cur"; else ${otherwise}; fi ;;
      esac; fi ;;`;
}

function namesOf(flags: readonly CompletedFlag[]): string {
  return flags.flatMap(({ names }) => names).join(' ');
}

function afterDashesOf(kind: CompletedCommand['afterDashes'], recorder: string): string {
  if (kind === 'command') return '_mcpreel_server $((dashes + 1))';
  return kind === 'flags' ? `_mcpreel_words '${recorder}' "$cur"` : ':';
}

/** Flags with the same kind of value share a line. */
function valueCases(flags: readonly CompletedFlag[]): string {
  const groups = new Map<string, string[]>();
  for (const { names, value } of flags) {
    if (value === undefined) continue;
    const action = given(value);
    groups.set(action, [...(groups.get(action) ?? []), ...names]);
  }
  return [...groups].map(([action, names]) => `        ${names.join(' | ')}) ${action} ;;\n`).join('');
}

/** If the script offers nothing, bash itself offers files. */
const ACTIONS: CompletionActions = {
  files: ':',
  folders: '_mcpreel_files -d "$cur"',
  sessions: '_mcpreel_files -f "$cur"; _mcpreel_ids "$cur"',
  ids: '_mcpreel_words "" ""; _mcpreel_ids "$cur"',
  free: '_mcpreel_words "" ""',
};

function given(value: CompletionWords): string {
  return typeof value === 'string' ? ACTIONS[value] : words(value);
}

function words(choices: readonly string[]): string {
  return `_mcpreel_words '${choices.join(' ')}' "$cur"`;
}
