#!/usr/bin/env -S node --max-semi-space-size=4
// React's development build keeps a performance entry for every render (React 19.2), so a screen left open for days runs
// out of memory: production must be set before React is imported, hence this file and the import below.
process.env.NODE_ENV = 'production';
await import('../dist/main.js');
