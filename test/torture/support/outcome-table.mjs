/** Prints the scenarios and their results as a Markdown table. */
export function printTable(results, say) {
  const rows = results.map((result) => [
    result.name,
    result.skipped === undefined ? result.injected : `skipped: ${result.skipped}`,
    result.held.join('; '),
    result.skipped === undefined ? String(result.lost) : '',
    `${result.seconds.toFixed(0)} s`,
    verdictOf(result),
  ]);
  const head = ['scenario', 'injected', 'held', 'lost', 'time', 'verdict'];
  say(`| ${head.join(' | ')} |`);
  say(`|${head.map(() => '---').join('|')}|`);
  for (const row of rows) say(`| ${row.join(' | ')} |`);
}

/** The result of a scenario in one word. */
export function verdictOf({ ok, skipped }) {
  if (skipped !== undefined) return 'skipped';
  return ok ? 'held' : 'BROKEN';
}
