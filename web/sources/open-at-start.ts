import type { PageState } from '../state/page.ts';
import { download } from './download.ts';
import { openNamed } from './open-files.ts';
import { choiceOf } from './trace-addresses.ts';

/** Opens the recordings that the page's address names, and reports those that it refuses. */
export async function openAtStart(page: PageState): Promise<void> {
  const { token } = page.place.value.more;
  if (token !== undefined) return (await import('./served-start.ts')).openServed(page, token);
  const { addresses, refusals, compares } = choiceOf(location.search, location.href);
  const { downloads, faults } = page.opening;
  if (document.documentElement.dataset.served !== undefined) {
    faults.value = [{ what: 'The URL has no token. Open the link that mcpreel printed.' }];
    return;
  }
  faults.value = refusals.map((what) => ({ what }));
  if (addresses.length === 0) return;
  const turn = ++page.opening.turn;
  downloads.value = addresses.map((name) => ({ name, bytes: 0, of: undefined }));
  const fetched = await Promise.all(
    addresses.map((address, place) =>
      download(address, (bytes, of) => {
        downloads.value = downloads.value.with(place, { name: address, bytes, of });
      }),
    ),
  );
  downloads.value = [];
  if (turn !== page.opening.turn) return;
  faults.value = [...faults.value, ...fetched.flatMap(({ fault }) => (fault === undefined ? [] : [{ what: fault }]))];
  const files = fetched.flatMap(({ file }) => file ?? []);
  await openNamed(page, files, turn, compares && files.length === 2);
}
