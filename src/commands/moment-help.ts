/** What `--at` takes, for help. */
export const momentHelp = '03:12, -2h (from the end), 10m (from the start), 50%, 2026-06-12 03:12, ...';
