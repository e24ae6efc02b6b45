import type { ScreenModel } from './screen-model.ts';

/** Clears the filter, so that all entries are shown. */
export function clearFilter(model: ScreenModel): void {
  model.filterText = '';
  model.session?.setFilter('').catch((error: unknown) => model.complain(error));
}
