import { followBeside } from './following.ts';
import { describeRotations } from './rotating.ts';

describeRotations(' beside another file', followBeside);
