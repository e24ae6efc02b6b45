import { modernContract } from './modern-contract.ts';

modernContract('stdio', 'stdio');
modernContract('stdio', 'streamable-http');
modernContract('streamable-http', 'stdio');
modernContract('streamable-http', 'streamable-http');
