import { describeFormat } from '../../../test/contract/format-contract.ts';
import { trace } from './trace.ts';

describeFormat(trace, { corpus: 'trace', knownAfterBytes: 120 });
