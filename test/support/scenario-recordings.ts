import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findScenario } from '../../src/demo/scenarios/index.ts';
import { recordDemo } from './demo-recording.ts';

/** Recordings of the demo's scenarios, made when they are asked for and kept until `remove`: `afterAll(recordings.remove)`. */
export interface ScenarioRecordings {
  /** The path of the recording of all that happens in a scenario. */
  of(scenario: string): Promise<string>;
  remove(): void;
}

/** None yet. Together they would be 5 MB of fixtures, and each is made in a second or two. */
export function scenarioRecordings(): ScenarioRecordings {
  const made = new Map<string, Promise<string>>();
  let folder: string | undefined;
  return {
    of(name) {
      const scenario = findScenario(name);
      if (!scenario) throw new Error(`the demo has no scenario ${name}`);
      folder ??= mkdtempSync(join(tmpdir(), 'traintop-scenarios-'));
      const path = join(folder, name);
      const recording = made.get(name) ?? recordDemo({ scenario: name, seconds: scenario.seconds, folder: path });
      made.set(name, recording);
      return recording;
    },
    remove() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
