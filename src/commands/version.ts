import packageJson from '../../package.json' with { type: 'json' };

/** traintop's own version. */
export const { version, description } = packageJson;
