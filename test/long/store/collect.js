/*
 * Collects garbage again and again, so that Node warns of each file that nobody has closed. Loaded ahead of the program with --import.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
setInterval(collect, 200).unref();
process.on('beforeExit', collect);
