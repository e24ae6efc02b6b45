import type { Page } from '../state/page.ts';
import { addressesIn } from './trace-addresses.ts';

/** Opens what the address names. */
export async function openAtStart(page: Page): Promise<void> {
  const addresses = addressesIn(location.search, location.href);
  if (addresses.length === 0) return;
  try {
    const files = await Promise.all(
      addresses.map(async (address) => {
        const response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer' });
        if (!response.ok) throw new Error(`${address} cannot be read: ${response.status} ${response.statusText}`);
        return { name: address.split('/').pop() ?? address, blob: await response.blob() };
      }),
    );
    await page.engine.open(files);
  } catch (error) {
    page.notice.value = (error as Error).message;
  }
}
