/** What real runtimes print when a program ends by an error, and the line of it that people need. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { crashCause } from './crash-cause.ts'

const linesOf = (code: string): string[] =>
  spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' }).stderr.split('\n')

test.each([
  ['throw new TypeError("no key is set")', 'TypeError: no key is set'],
  ['Promise.reject(new Error("refused"))', 'Error: refused'],
  ['require("./nowhere.js")', "Error: Cannot find module './nowhere.js'"],
  [
    'class KeyError extends Error { name = "KeyError" }; throw Object.assign(new KeyError("bad"), { code: 7 })',
    'KeyError: bad',
  ],
  ['console.error("Set API_KEY to start."); process.exit(2)', 'Set API_KEY to start.'],
  ['console.error("listening"); throw "a text"', 'a text'],
])('of %s', (code, cause) => {
  expect(crashCause(linesOf(code))).toContain(cause)
})

test.each([
  [
    ['Traceback (most recent call last):', '  File "x.py", line 1, in <module>', 'ValueError: no token'],
    'ValueError: no token',
  ],
  [['panic: no config', '', 'goroutine 1 [running]:', 'main.main()', '\t/x/main.go:4 +0x1'], 'panic: no config'],
  [
    ["thread 'main' panicked at src/main.rs:2:5:", 'no config', 'note: run with RUST_BACKTRACE=1'],
    "thread 'main' panicked at src/main.rs:2:5:",
  ],
  [['Node.js v26.10.0'], 'Node.js v26.10.0'],
  [
    [
      ...['npm warn exec The following package was not found', 'npm error code E404'],
      'npm error 404 Not Found - GET https://r.example/x',
      ...['npm error 404', 'npm error 404  The requested resource could not be found.', 'npm error 404'],
      'npm error A complete log of this run can be found in: /x/debug-0.log',
    ],
    'npm error 404 Not Found - GET https://r.example/x',
  ],
  [
    [
      ...['npm ERR! code ENOENT', 'npm ERR! syscall open', 'npm ERR! path /x/package.json', 'npm ERR! errno -2'],
      'npm ERR! enoent Could not read package.json: Error: ENOENT: no such file',
      ...['npm ERR! enoent This is related to npm not being able to find a file.', 'npm ERR! enoent '],
    ],
    'npm ERR! enoent Could not read package.json: Error: ENOENT: no such file',
  ],
  [['npm error could not determine executable to run'], 'npm error could not determine executable to run'],
  [
    ['Set API_KEY to start.', 'npm error Lifecycle script `start` failed with error:', 'npm error code 1'],
    'Set API_KEY to start.',
  ],
  [
    ['docker: Cannot connect to the Docker daemon.', '', "Run 'docker run --help' for more information"],
    'docker: Cannot connect to the Docker daemon.',
  ],
  [[], undefined],
])('of %j', (lines, cause) => {
  expect(crashCause(lines)).toBe(cause)
})
