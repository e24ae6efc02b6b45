import { describeFormat } from '../../../test/contract/format-contract.ts';
import { sessionFile } from './session-file.ts';

describeFormat(sessionFile, { corpus: 'session-file', knownAfterBytes: 250 });
