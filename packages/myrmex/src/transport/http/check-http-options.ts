/** The options of `listenHttp`, each with its check. A misspelled `token` would open the server to everybody who can reach it. */
import {
  checkOptions,
  isCallback,
  isChoice,
  isDuration,
  isFilledText,
  isFlag,
  isSecretText,
  isTextList,
  isWholeNumber,
  isWith,
  type OptionChecks,
} from '../../tool/check-options.ts'
import type { HttpOptions } from './listen.ts'

const isPages = isWith(['has', 'serve'], 'an object with the functions has and serve')

const CHECKS: OptionChecks<HttpOptions> = {
  host: isFilledText,
  port: isWholeNumber(0, 65_535),
  token: isSecretText,
  policy: isWith(['principals'], 'what parsePolicy() returns'),
  allowedHosts: isTextList,
  allowedOrigins: isTextList,
  trustProxy: isTextList,
  localUsers: isChoice(['own', 'all']),
  tokens: isWith(['find', 'onEnd'], 'an object with the functions find and onEnd'),
  requireToken: isFlag,
  authenticate: isCallback,
  maxBodyBytes: isWholeNumber(1),
  maxConnections: isWholeNumber(1),
  maxSessions: isWholeNumber(1),
  requestTimeoutMs: isDuration(1),
  idleTimeoutMs: isDuration(0),
  drainMs: isDuration(0),
  pages: isPages,
  api: isPages,
  signIn: isWith(
    ['jwt', 'isAudience', 'admit', 'isCurrent', 'onChange'],
    'what openEmbeddedIssuer() returns as tokens',
  ),
  signInPages: isPages,
}

/** Throws a RegistrationError that names everything that is wrong. */
export const checkHttpOptions = (options: HttpOptions): void => checkOptions('listenHttp()', options, CHECKS)
