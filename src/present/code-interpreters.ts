import type { CodeRunner } from './code-runner.ts';

export const SHELL = 'a shell script';
const JAVASCRIPT = 'a JavaScript program';

/** A shell that reads commands from standard input if it gets none. */
export const SHELLS: RegExp =
  /^(?:r?ba|da|z|r?k|lk|mk|pdk|ya|a|c|tc|fi|nu|pos|bo|o|i|su|h|y|mr|lok|ga|mvd)?sh(?:-static)?[\d.]*$|^(?:elvish|xonsh|nu|oil|rc|es)$/;

/** Programs whose own language is in their arguments, in the order in which they are asked. */
export const INTERPRETERS: readonly CodeRunner[] = [
  {
    program: /^nu$/,
    what: SHELL,
    code: /^-[a-z]*[ce]$|^--(?:commands|execute)(?:=|$)/,
    flags: /^-[nli]$|^--(?:no-config-file|login|interactive|stdin)$/,
    operand: 'file',
  },
  {
    program: SHELLS,
    what: SHELL,
    code: /^[-+](?=[A-Za-z]*[cC])[A-Za-z]+$|^--(?:command|init-command)(?:=|$)/,
    values: /^[-+][A-Za-z]*[oO]$|^--(?:rcfile|init-file|config|env-config|plugin-config)$/,
    flags:
      /^[-+][abehiklmnpqrstuvxBEHP]+$|^--(?:login|norc|noprofile|posix|noediting|verbose|restricted|no-config|interactive|private|no-rcs)$/,
    input: /^-(?=[A-Za-z]*s)[A-Za-z]+$/,
    operand: 'file',
    option: /^[-+]./,
  },
  {
    program: /^cmd$/,
    what: 'a cmd command',
    code: /^(?:\/\w(?::\w+)?)*\/[ckr]/i,
    operand: 'file',
    option: /^\//,
    isAnywhere: true,
  },
  {
    program: /^powershell(?:_ise)?$/,
    what: 'a PowerShell script',
    code: /^[-/–—―]{1,2}(?:c(?:wa|o(?:m\w*)?)?|e|ec|en\w*)$/i,
    values: /^[-/–—―]{1,2}(?:ex\w*|ep|ve\w*|w\w*|inp\w*|of|o\w*|config\w*|ps\w*|if|settings\w*|cus\w*)$/i,
    operand: 'script',
    option: /^[-/–—―]./,
  },
  {
    program: /^pwsh(?:-preview)?$/,
    what: 'a PowerShell script',
    code: /^[-/–—―]{1,2}(?:c(?:wa|o(?:m\w*)?)?|e|ec|en\w*)$/i,
    values: /^[-/–—―]{1,2}(?:ex\w*|ep|w\w*|inp\w*|of|o\w*|config\w*|if|settings\w*|cus\w*)$/i,
    flags: /^[-/–—―]{1,2}(?:nop\w*|noni\w*|nol\w*|noe\w*|sta|mta|l|login)$/i,
    operand: 'file',
    option: /^[-/–—―]./,
  },
  {
    program: /^(?:python|pypy)[\d.]*[a-z]?$|^(?:py|pyw|ipython[\d.]*|bpython|micropython|jython|graalpy)$/,
    what: 'a Python program',
    code: /^-[bBdEiIOPqRsStuvx]*c|^-[bBdEiIOPqRsStuvx]*m(?:timeit|pdb|IPython|asyncio|code|idlelib)$/,
    // What follows a module belongs to it.
    values: /^-[bBdEiIOPqRsStuvx]*[WXQ]$|^--check-hash-based-pycs$/,
    flags: /^-[bBdEiIOPqRsStuvx]+$|^-[bBdEiIOPqRsStuvx]*[WX].+$|^-V$|^--version$|^-\d[\d.]*(?:-\d+)?$|^-V:/,
    operand: 'file',
    option: /^-(?![bBdEiIOPqRsStuvx]*m).|^-V:/,
  },
  {
    program:
      /^(?:node(?:js)?[\d.]*|tsx|ts-node|ts-node-esm|ts-node-script|qjs|qjsm|electron|nw|esno|jiti|babel-node|swc-node)$/,
    what: JAVASCRIPT,
    code: /^-(?:[ep]|pe|ep|[ei]p|ie)$|^--(?:eval|print)(?:=|$)|^--(?:import|(?:experimental-)?loader)=(?=data:)/,
    values:
      /^-[rC]$|^--(?:require|import|loader|experimental-loader|conditions|env-file|env-file-if-exists|title|tsconfig|input-type|watch-path|test-reporter|inspect-port)$/,
    // `inspect` and `watch` are followed by options, too.
    flags:
      /^(?:inspect|watch)$|^-[civh]$|^--(?:enable-source-maps|no-warnings|no-deprecation|inspect|inspect-brk|inspect-wait|check|interactive|version|watch|watch-preserve-output|test|expose-gc|experimental-(?:vm-modules|strip-types|transform-types|wasm-modules|websocket|eventsource|sqlite|require-module|permission|fetch|import-meta-resolve)|trace-(?:warnings|deprecation|uncaught|exit|sync-io)|pending-deprecation|throw-deprecation|preserve-symlinks|preserve-symlinks-main|use-(?:bundled|openssl|system)-ca|permission|openssl-legacy-provider|no-experimental-[a-z-]+|no-addons|jitless|abort-on-uncaught-exception)$|^--(?!import=|loader=|experimental-loader=|run=)[a-z][a-z0-9-]*=/,
    operand: 'file',
  },
  {
    program: /^bun$/,
    what: JAVASCRIPT,
    code: /^-[ep]$|^--(?:eval|print)(?:=|$)/,
    values: /^-[rcd]$|^--(?:preload|cwd|config|env-file|filter)$/,
    operand: 'task',
  },
  {
    program: /^bun run$/,
    what: JAVASCRIPT,
    code: /^-[ep]$|^--(?:eval|print)(?:=|$)/,
    values: /^--(?:preload|cwd|config|env-file|filter)$/,
    flags: /^-[bi]$|^--(?:bun|watch|hot|smol|silent|inspect|no-install)$|^--[a-z][a-z-]*=/,
    operand: 'file',
  },
  { program: /^bun exec$/, what: SHELL, operand: 'script' },
  { program: /^deno$/, what: JAVASCRIPT, values: /^-L$|^--log-level$/, operand: 'task' },
  {
    program: /^deno eval$/,
    what: JAVASCRIPT,
    values: /^-[Lc]$|^--(?:ext|config|import-map|cert|env-file)$/,
    operand: 'script',
  },
  {
    program: /^deno (?:run|repl|serve)$/,
    what: JAVASCRIPT,
    code: /^--(?:eval|eval-file)(?:=|$)/,
    values:
      /^-[Lc]$|^--(?:config|import-map|cert|lock|ext|location|seed|log-level|env-file|preload|require|port|host)$/,
    flags:
      /^-[AqrRWNESn]+$|^--(?:allow|deny|no|unstable)-[a-z-]+(?:=|$)|^--(?:quiet|reload|cached-only|frozen|inspect|inspect-brk|inspect-wait|watch|watch-hmr|check|node-modules-dir|vendor|env-file|lock|v8-flags|reload|check)(?:=|$)|^--(?:config|import-map|cert|ext|location|seed|log-level)=/,
    operand: 'file',
  },
  {
    program: /^perl[\d.]*$/,
    what: 'a Perl program',
    code: /^-[acfilnpstTuUwWXSvxCF\d]*[eE]|^-[mM][\w:]*(?=[^\w:=,.-])/,
    values: /^-[acnpstTuUwWX]*I$/,
    flags: /^-[acnpsStTuUwWXlFi0-9.]+$|^-[mM]-?[\w:=,.-]+$|^-I.+$|^-C\d*$|^-v$/,
    operand: 'file',
  },
  {
    program: /^(?:j|m|truffle)?ruby[\d.]*$/,
    what: 'a Ruby program',
    code: /^-[acdlnpsSvwy0]*e/,
    values: /^-[rIC]$/,
    flags:
      /^-[acdlnpsSvwy]+$|^-W\d?$|^-W:[a-z-]+$|^-[rI][\w./-]+$|^--(?:yjit|jit|version|verbose|encoding=.+)$|^--(?:en|dis)able[-=][\w-]+$/,
    operand: 'file',
  },
  {
    program: /^php[\d.]*(?:-cli|-cgi)?$/,
    what: 'a PHP program',
    code: /^-n?[rRBE]|^--(?:run|process-code|process-begin|process-end)(?:=|$)/,
    values: /^-[dczFtS]$|^--(?:define|php-ini)$/,
    flags: /^-[nqvm]$|^-d[\w.]+=[\w.]*$|^--(?:no-php-ini|version)$/,
    operand: 'file',
  },
  {
    program: /^lua(?:jit)?[\d.]*(?:-[\d.]+)?$/,
    what: 'a Lua program',
    code: /^-e/,
    values: /^-[lj]$/,
    flags: /^-[iEvW]+$/,
    operand: 'file',
  },
  { program: /^osascript$/, what: 'an AppleScript program', code: /^-[is]*e/, values: /^-[ls]$/, operand: 'file' },
  { program: /^r$|^rscript$|^littler$/, what: 'an R program', code: /^-e|^--e$/, operand: 'file' },
  {
    program: /^julia$/,
    what: 'a Julia program',
    code: /^-[eE]|^--(?:eval|print)(?:=|$)/,
    values: /^-[LJptC]$|^--(?:project|load|threads)$/,
    operand: 'file',
  },
  {
    program: /^elixir$|^iex$/,
    what: 'an Elixir program',
    code: /^-e$|^--(?:eval|rpc-eval)(?:=|$)/,
    values: /^-(?:r|S|pa|pz)$/,
    operand: 'file',
  },
  { program: /^erl$/, what: 'an Erlang program', code: /^-{1,2}(?:eval|run|s)$/, operand: 'file', isAnywhere: true },
  {
    program:
      /^(?:guile|groovy|scala|kotlin|swift|racket|clojure|clj|bb|sbcl|clisp|ecl|ghci?|octave(?:-cli)?|maxima|crystal|nim|janet|fennel|gst|ocaml|swipl|gosh|chibi-scheme|csi|mit-scheme)$/,
    what: 'a program',
    code: /^-{1,2}(?:e|c|x|g|eval|execute|command)(?:=|$)/,
    operand: 'file',
  },
  {
    program: /^(?:[gnm]?vim?|vimdiff|view|ex|emacs|emacsclient|gdb|lldb|less|ed)$/,
    what: 'commands',
    code: /^-{1,2}(?:c|ex|iex|cmd|eval|execute|eval-command|init-eval-command|batch|o|one-line)(?:=|$)|^\+[^+\d]/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^(?:[gmn]|busybox-)?awk$|^original-awk$/,
    what: 'an awk program',
    code: /^-e$|^--source(?:=|$)/,
    values: /^-[FvfEil]$|^--(?:field-separator|assign|file|exec|include|load)$/,
    operand: 'script',
  },
  {
    program: /^g?sed$/,
    what: 'a sed script',
    code: /^-[nErsuz]*e|^--expression(?:=|$)/,
    values: /^-[fl]$|^--(?:file|line-length)$/,
    operand: 'script',
  },
  { program: /^(?:tclsh|wish|jimsh)[\d.]*$/, what: 'a Tcl script', values: /^-encoding$/, operand: 'script' },
  { program: /^(?:expect|expectk)[\d.]*$/, what: 'an Expect script', code: /^-[di]*c/, operand: 'script' },
  { program: /^sqlite3$/, what: 'commands', code: /^-cmd$/, operand: 'script', skips: 1 },
  {
    program: /^(?:psql|mysql|mariadb)$/,
    what: 'commands',
    code: /^-[a-zA-Z]*[ce]|^--(?:command|execute)(?:=|$)/,
    operand: 'file',
    isAnywhere: true,
  },
  {
    program: /^javaw?$/,
    what: 'a command',
    code: /^-XX:On\w+=|^-(?:javaagent|agentlib|agentpath):/,
    flags: /^-/,
    operand: 'file',
  },
];
