import { interceptContract } from './intercept-contract.ts';

interceptContract({ title: 'a client of the oldest revision over SSE', listen: 'sse', target: 'sse', isModern: false });
