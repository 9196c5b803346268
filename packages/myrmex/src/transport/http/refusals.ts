/** Answers to requests that are refused: the status, a sentence for the sender, and the challenge of WWW-Authenticate. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 503
  readonly message: string
  readonly error_type: string
  /** for WWW-Authenticate */
  readonly challenge?: string
}

export const forbidden = (message: string): Refusal => ({ status: 403, message, error_type: 'PermissionError' })

export const UNKNOWN_TOKEN: Refusal = {
  status: 401,
  message: 'Unknown token: it is mistyped, has expired or was revoked. Ask the operator for a new one.',
  error_type: 'AuthenticationError',
  challenge: 'Bearer realm="myrmex", error="invalid_token", error_description="Unknown token"',
}

export const NO_TOKEN: Refusal = {
  status: 401,
  message: 'A valid bearer token is required in the Authorization header',
  error_type: 'AuthenticationError',
  challenge: 'Bearer realm="myrmex"',
}

/** For the router: the health check is for everybody on this machine, and for its proxies. */
export const isPeerRefusal = (refusal: Refusal): boolean =>
  refusal === OTHER_USER || refusal === UNKNOWN_PROCESS || refusal === THROUGH_PROXY

/** Without a token only processes of this user may call, and nobody knows which process is behind a proxy. */
export const THROUGH_PROXY: Refusal = {
  status: 403,
  message:
    'This request came through a proxy, and callers through a proxy need a token. The operator can set MYRMEX_TOKEN, or give the policy ' +
    'principals or a jwt issuer.',
  error_type: 'PermissionError',
}

export const BAD_FORWARDING: Refusal = {
  status: 400,
  message:
    'The headers of the proxy are malformed, or it sent both Forwarded and X-Forwarded-Host or X-Forwarded-Proto. Configure it to send one ' +
    'kind, and to remove the other.',
  error_type: 'ValidationError',
}

export const OTHER_USER: Refusal = {
  status: 403,
  message:
    'This connection is of another user of this machine, or its user cannot be found out. Without a token only the user who runs ' +
    'this server may call it. Its operator can set MYRMEX_TOKEN and give you the token, or set MYRMEX_LOCAL_USERS=all.',
  error_type: 'PermissionError',
}

export const UNKNOWN_PROCESS: Refusal = {
  status: 403,
  message:
    'This connection is of a program that this server started, or its process cannot be found out, as in another container or through ' +
    'sshd. Such a process needs a token. The operator can set MYRMEX_TOKEN, or give the policy principals.',
  error_type: 'PermissionError',
}

export const TOKEN_IN_URL: Refusal = {
  status: 400,
  message:
    'A token must not be in the URL, because logs and histories keep it. Send it as: Authorization: Bearer <token>',
  error_type: 'AuthenticationError',
  challenge:
    'Bearer realm="myrmex", error="invalid_request", error_description="The token belongs in the Authorization header"',
}

export const UNAVAILABLE: Refusal = {
  status: 503,
  message: "The token cannot be checked because its issuer's keys are unavailable. Try again in a moment.",
  error_type: 'UnavailableError',
}
