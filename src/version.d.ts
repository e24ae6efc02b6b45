declare const __MCPREEL_VERSION__: string;
