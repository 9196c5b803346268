/**
 * Finds, in the last lines that a program wrote to stderr, the one that says why it ended. Runtimes write more after it: stack frames, and
 * Node its version. What npm writes counts if the program itself wrote nothing.
 */

/** `TypeError: x`, `[ERR_X]: x`, `java.io.IOException: x`, `panic: x`, `Error [ERR_X]: x`, `thread 'main' panicked at x`. */
const ERROR =
  /^(?:Uncaught\s+|Exception in thread "[^"]*" )?(?:[\w.$]*(?:Error|Exception)(?: \[\w+\])?:|panic:|fatal(?: error)?:|error:|thread '[^']*' panicked)/i
/** Stack frames, pointers to a column, lines of source with a place, brackets and fields of a printed error. */
const NOISE =
  /^(?:Node\.js v\d|\(Use `node |\s*at |\s*\^+\s*$|\s*[{}[\]()]+,?\s*$|\s+\w+: .*,?$|(?:file:\/\/|\/|[A-Z]:\\)\S+:\d+$|goroutine \d+|(?:Run|See) '.*--help')/
const OF_NPM = /^npm (?:error|ERR!|warn|WARN|notice)(?: |$)/
/** npm begins with a few fields, then says what happened, then gives advice. */
const ERROR_OF_NPM =
  /^npm (?:error|ERR!) (?!(?:code|syscall|path|dest|errno|type|command|workspace|location) |A complete log)\S/

/** Undefined: nothing was written. */
export function crashCause(lines: readonly string[]): string | undefined {
  const written = lines.filter((line) => line.trim() !== '')
  const found =
    written.findLast((line) => ERROR.test(line)) ??
    written.findLast((line) => !NOISE.test(line) && !OF_NPM.test(line)) ??
    written.find((line) => ERROR_OF_NPM.test(line))
  return (found ?? written.at(-1))?.trim()
}
