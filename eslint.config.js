import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'node_modules', '.cache', 'coverage', 'test/fixtures'] },
  ...ts.configs.recommended,
  { files: ['src/ui/**'], plugins: { 'react-hooks': hooks }, rules: { ...hooks.configs.recommended.rules } },
  {
    rules: {
      'max-lines': ['error', { max: 300 }],
      // Only src/clock.ts reads the time, so that live, demo and replay share one clock.
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take a Clock (src/clock.ts).' },
        { object: 'performance', property: 'now', message: 'Take a Clock (src/clock.ts).' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-control-regex': 'off',
    },
  },
  { files: ['src/clock.ts', 'test/**', 'bench/**', 'scripts/**'], rules: { 'no-restricted-properties': 'off' } },
);
