export { leader, rankCount, shortCommand } from '../model/run-words.ts';
