/** Programs that run the program named in their arguments, and words that may precede that name. */
const RUNNERS = /^(npx|bunx|uvx|pnpx|pipx|npm|pnpm|yarn|bun|deno|node|python[\d.]*|py|uv|ruby|tsx|sh|bash|env)$/;
const RUNNER_WORDS = /^(exec|run|dlx|x|tool|-.*|[A-Za-z_]\w*=.*)$/;

/**
 * Derives a short display name for a target: its host, or its package or program without scope, folder, version,
 * extension and `server-`.
 */
export function defaultLabel(command: readonly string[], url?: string): string {
  if (url !== undefined && URL.canParse(url)) return new URL(url).host || 'session';
  const [program, ...args] = command;
  if (program === undefined) return 'session';
  const runs = RUNNERS.test(baseName(program)) ? args.findIndex((arg) => !RUNNER_WORDS.test(arg)) : -1;
  // One runner may run another: `uv run python server.py`.
  return runs < 0 ? targetName(program) || 'session' : defaultLabel(args.slice(runs));
}

function targetName(word: string): string {
  return baseName(word)
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/\.(m?[jt]s|c[jt]s|py|rb|sh|exe|cmd)$/i, '')
    .replace(/^(mcp-)?server-(?=.)/, '');
}

function baseName(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .findLast((part) => part !== '')
      ?.replace(/\.exe$/i, '') ?? ''
  );
}
