import { Box, Text, useApp, useInput } from 'ink';
import type { Controls } from './controls.ts';
import { useStore } from './use-store.ts';

/** The whole screen. */
export function App({ controls }: { readonly controls: Controls }) {
  const { exit } = useApp();
  const state = useStore(controls.store, (s) => s);
  useInput((input, key) => {
    if (input === 'q' || (key.ctrl && input === 'c')) exit();
  });
  return (
    <Box flexDirection="column">
      <Text wrap="truncate">{`traintop ${state.facts?.hostname ?? ''} ${state.link?.state ?? ''} ${state.run?.phase ?? ''}`}</Text>
      {[...state.sources].map(([source, view]) => (
        <Text key={source} wrap="truncate">{`${source} ${view.status} ${view.reason ?? ''}`}</Text>
      ))}
    </Box>
  );
}
