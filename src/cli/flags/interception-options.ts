import type { InterceptionOptions } from '../../intercept/interception.ts';
import type { CaptureFlagValues } from './capture-flags.ts';
import { filterOfFlag } from './filter-flag.ts';
import { milliseconds, text, usage } from './flag-values.ts';

/** The interception settings before the filter and rules are loaded. */
export interface InterceptionChoice
  extends Pick<InterceptionOptions, 'mode' | 'timeoutMs' | 'outOfOrder' | 'failsClosed'> {
  readonly filterText: string | undefined;
  readonly rulesFile: string | undefined;
}

export function interceptionFrom(values: CaptureFlagValues): InterceptionChoice {
  const filterText = text(values, 'hold');
  const timeoutMs = milliseconds(values, 'hold-timeout');
  if (timeoutMs === 0) throw usage('--hold-timeout 0 is not more than 0', 'Example: 30');
  return {
    mode: values.intercept === true || filterText !== undefined ? 'intercept' : 'passthrough',
    filterText,
    timeoutMs,
    outOfOrder: values['hold-out-of-order'] === true,
    failsClosed: values['fail-closed'] === true,
    rulesFile: text(values, 'rules'),
  };
}

/** Whether loading the settings may fail. */
export function mayBeWrong({ filterText, rulesFile }: InterceptionChoice): boolean {
  return filterText !== undefined || rulesFile !== undefined;
}

/** Loads the filter and rules. Throws a usage error if one is invalid. */
export async function loadInterception({
  filterText,
  rulesFile,
  ...choice
}: InterceptionChoice): Promise<InterceptionOptions> {
  return {
    ...choice,
    filter: filterText === undefined ? undefined : await filterOfFlag('--hold', filterText),
    rules: rulesFile === undefined ? undefined : await (await import('../input/rules-file.ts')).loadRules(rulesFile),
  };
}
