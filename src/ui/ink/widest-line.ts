export { widestLine as default } from './measure-text.ts';
