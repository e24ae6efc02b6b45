import { expect, it } from 'vitest';
import { expectLinearGrowth } from './growth.ts';

let sum = 0;
function spin(steps: number): void {
  for (let i = 0; i < steps; i++) sum = (sum * 31 + i) | 0;
}

it('lets work pass that grows with its size, and refuses work that grows with the square of it', async () => {
  const [small, large, times] = [4000, 32_000, 8];
  await expectLinearGrowth({ small: () => spin(small * 500), large: () => spin(large * 500), times });
  const quadratic = { small: () => spin(small ** 2 / 10), large: () => spin(large ** 2 / 10), times };
  await expect(expectLinearGrowth(quadratic)).rejects.toThrow('to be less than or equal to 4');
});
