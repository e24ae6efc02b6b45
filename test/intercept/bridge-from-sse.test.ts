import { interceptContract } from './intercept-contract.ts';

interceptContract({ title: 'a client over SSE, a program on stdio', listen: 'sse', target: 'stdio', isModern: false });
