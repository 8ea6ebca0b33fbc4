/** This machine's zone at a time (epoch ms), in minutes east of UTC. */
export function zoneHere(time: number): number {
  return -new Date(time).getTimezoneOffset();
}
