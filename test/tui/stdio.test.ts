import { screenContract } from './screen-contract.ts';

screenContract({ title: 'a program on stdio', listen: 'stdio', target: 'stdio', isModern: false }, { isWhole: true });
