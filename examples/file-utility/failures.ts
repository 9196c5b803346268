/**
 * The four errors of the tool and their words. A message never holds anything but what the caller sent: no base
 * directory, no resolved path, no text of the operating system.
 */
import { ToolError } from 'myrmex'

/** Longer than any path the system takes; what is longer is not sent back whole. */
export const MAX_PATH = 4096

const attempted = (path: string) => ({
  path_attempted: path.length > MAX_PATH ? `${path.slice(0, MAX_PATH).toWellFormed()}…` : path,
})

export const notFound = (path: string): ToolError =>
  new ToolError('FileNotFoundError', 'There is no file at file_path.', attempted(path))

/** One error for everything outside, there or not: the answer says nothing about what is there. */
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

/** What an error of the file system means to the caller. Anything unforeseen stays as it is, for the log. */
export function fromSystem(error: unknown, path: string): unknown {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENAMETOOLONG':
    case 'ELOOP':
    // readlink of what was a link a moment ago: somebody is changing the path under us
    case 'EINVAL':
      return notFound(path)
    case 'EACCES':
    case 'EPERM':
      return unreadable(path)
    default:
      return error
  }
}
