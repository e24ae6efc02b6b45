import type { ScreenModel } from './screen-model.ts';

/** Shows everything again. */
export function clearFilter(model: ScreenModel): void {
  model.filterText = '';
  model.session?.setFilter('').catch((error: unknown) => model.complain(error));
}
