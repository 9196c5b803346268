/**
 * The four errors of the tool. A message contains only what the caller sent: no base directory, no resolved path, no text of the
 * operating system.
 */
import { ToolError } from 'myrmex'

/** Longer than any path the system accepts. A longer path is cut in the error. */
export const MAX_PATH = 4096

const attempted = (path: string) => ({
  path_attempted: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path,
})

export const notFound = (path: string): ToolError =>
  new ToolError('FileNotFoundError', 'There is no file at file_path.', attempted(path))

/** The same error for every path outside, so that it does not reveal whether a file exists. */
export const outside = (path: string): ToolError =>
  new ToolError(
    'PermissionError',
    'file_path leads outside the directory this tool may read. Give a path inside it, without .. above its top.',
    attempted(path),
  )

export const notRegular = (path: string): ToolError =>
  new ToolError(
    'PermissionError',
    'file_path is no regular file. Directories, devices, pipes, sockets and system pseudo-files are not read.',
    attempted(path),
  )

export const unreadable = (path: string): ToolError =>
  new ToolError('PermissionError', 'The system does not let this tool read file_path.', attempted(path))

export const tooLarge = (path: string, limit: number, advice: string): ToolError =>
  new ToolError('FileTooLargeError', `The file exceeds the limit of ${limit} bytes for ${advice}`, {
    ...attempted(path),
    limit_bytes: limit,
  })

const CLIPPED = 60

export const unsupportedEncoding = (label: string, supported: readonly string[]): ToolError => {
  const given = label.length > CLIPPED ? `${label.slice(0, CLIPPED).toWellFormed()}…` : label
  return new ToolError(
    'UnsupportedEncodingError',
    `There is no encoding ${JSON.stringify(given)} here. Supported are, among others, ${supported.join(', ')}.`,
    { encoding_attempted: given, supported_encodings: [...supported] },
  )
}

/** Maps an error of the file system to one for the caller. Other errors stay unchanged, for the log. */
export function fromSystem(error: unknown, path: string): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
    case 'ELOOP':
    // readlink of a path that was a link a moment ago: another process is changing the path
    case 'EINVAL':
      return notFound(path)
    case 'EACCES':
    case 'EPERM':
      return unreadable(path)
    default:
      return error
  }
}
