/** A kind of program that runs code from its arguments: its name, and the flag before the code. */
interface CodeRunner {
  readonly program: RegExp;
  readonly flag: RegExp;
  readonly what: string;
}

const RUNNERS: readonly CodeRunner[] = [
  {
    program: /^(?:r?ba|da|z|r?k|lk|mk|pdk|ya|a|c|tc|fi|nu|pos|bo)?sh\d*$|^(?:elvish|xonsh|busybox|toybox)$/,
    flag: /^[-+](?!-)\w*c\w*$|^--(?:command|init-command)(?:=|$)/,
    what: 'a shell script',
  },
  { program: /^cmd$/, flag: /^(?:\/\w)*\/[ckr]/i, what: 'a cmd command' },
  {
    program: /^(?:powershell|pwsh)(?:-preview)?$/,
    flag: /^[-/]{1,2}(?:c|co\w*|e|ec|en\w*)$/i,
    what: 'a PowerShell script',
  },
  {
    program: /^(?:python|pypy)[\d.]*w?$|^(?:py|ipython3?|micropython)$/,
    flag: /^-[A-Za-z]*c/,
    what: 'a Python program',
  },
  {
    program: /^node(?:js)?$|^(?:bun|tsx|ts-node|ts-node-esm|qjs)$/,
    flag: /^-(?:e|p|pe)$|^--(?:eval|print)(?:=|$)/,
    what: 'a JavaScript program',
  },
  { program: /^deno$/, flag: /^eval$/, what: 'a JavaScript program' },
  { program: /^perl[\d.]*$/, flag: /^-[aFilnpswTtWX0]*[eE]/, what: 'a Perl program' },
  { program: /^j?ruby[\d.]*$/, flag: /^-[alnpsw]*e/, what: 'a Ruby program' },
  {
    program: /^php[\d.]*$/,
    flag: /^-[rRBE]|^--(?:run|process-code|process-begin|process-end)$/,
    what: 'a PHP program',
  },
  {
    program:
      /^(?:lua[\d.]*|luajit|osascript|rscript|r|julia|elixir|erl|guile|groovy|scala|emacs|vim?|nvim|ghc|sbcl|octave)$/,
    flag: /^-(?:e|c|E)$|^--?(?:eval|cmd|command|execute)(?:=|$)/,
    what: 'a program',
  },
  { program: /^env$/, flag: /^-\w*S|^--split-string/, what: 'a command line' },
  { program: /^git$/, flag: /^-c$|^--(?:exec-path|config-env)(?:=|$)/, what: 'settings, which may name commands' },
  { program: /^find$/, flag: /^-(?:exec|execdir|ok|okdir)$/, what: 'a command' },
  {
    program: /^(?:npx|npm|pnpm|yarn|bunx|uvx|nix-shell|su|runuser|script|ssh|watch|flock|sg)$/,
    flag: /^-\w*c$|^--(?:call|command|run)(?:=|$)/,
    what: 'a shell script',
  },
];

const SHELL = RUNNERS[0]?.program;

/** Programs whose first argument that is no flag is code. */
const SCRIPTS = /^(?:[gmn]?awk|busybox-awk|sed|jq|expect|tclsh[\d.]*|wish[\d.]*|eval|make|gmake)$/;

/** Programs that run the command in their arguments, so that a shell may follow them. */
const WRAPPERS =
  /^(?:env|sudo|doas|su|nice|ionice|nohup|timeout|xargs|setsid|stdbuf|strace|ltrace|time|chroot|unshare|nsenter|exec|command|busybox|toybox|taskset|chrt|parallel|watch|script|flock|docker|podman|nerdctl|kubectl|ssh|wsl|find|systemd-run|firejail|bwrap|proot|dbus-run-session|xvfb-run|catchsegv|catatonit|tini|dumb-init|gosu|su-exec|setpriv|runuser|start-stop-daemon|npx|start)$/;

/**
 * Names what runs code from the arguments of a command: `sh -c`, `python -c`, `node -e` and the like, also behind `env`,
 * `sudo` or `docker run`. Returns a sentence for each.
 */
export function shellNotes(words: readonly string[]): string[] {
  let isBehindWrappers = true;
  return words.flatMap((word, index) => {
    const name = programName(word);
    const couldRun = isBehindWrappers;
    isBehindWrappers &&= WRAPPERS.test(programName(words[0] ?? ''));
    if (couldRun && SCRIPTS.test(name)) return [`${name} runs code in its own language from its arguments.`];
    const runner = RUNNERS.find(({ program }) => program.test(name));
    if (runner === undefined) return [];
    const at = words.findIndex((other, i) => i > index && runner.flag.test(other));
    const flag = words[at];
    if (flag !== undefined && holdsCode(flag, runner))
      return [`${name} ${flag} runs word ${at + 1} as ${runner.what}.`];
    if (flag !== undefined) return [`${name} ${flag} runs word ${at + 2} and the following ones as ${runner.what}.`];
    return SHELL?.test(name) && couldRun ? [`${name} is a shell: it runs the commands in its arguments.`] : [];
  });
}

/** Whether the code is in the word of the flag itself: `--eval=1`, `-e1`. */
function holdsCode(flag: string, { flag: pattern }: CodeRunner): boolean {
  const [matched = ''] = pattern.exec(flag) ?? [];
  return matched.endsWith('=') || matched.length < flag.length;
}

/** The name of a program without its folder and `.exe`. */
function programName(word: string): string {
  return (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/i, '');
}
