// Bundled and run by test/scripts/bundle.test.ts: Ink, ink-table and ssh2 in one ES module, as in the program.
import { Box, render, Text } from 'ink';
import ssh2 from 'ssh2';
import { Table } from '../../src/ui/parts/ink-table.tsx';

const { unmount, waitUntilExit } = render(
  <Box flexDirection="column">
    <Table columns={[{ key: 'name', title: 'NAME' }]} rows={[{ name: 'in the bundle' }]} />
    <Text>{`${typeof ssh2.Client} ${process.env['NODE_ENV']}`}</Text>
  </Box>,
);
unmount();
await waitUntilExit();
