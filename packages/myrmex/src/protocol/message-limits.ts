/**
 * How long the texts in a message may be that identify something. They are looked up, parsed, repeated in errors and notifications, and
 * kept while a request, a session or a subscription lasts, all of it before the rights of the caller are known.
 */

/** ids of requests and tokens of progress; the longest in use are UUIDs */
export const MAX_ID_LENGTH = 1000
export const MAX_METHOD_LENGTH = 200
/** of tools, prompts and tasks */
export const MAX_NAME_LENGTH = 1000
export const MAX_URI_LENGTH = 8192
/** a range of versions, such as `^1.2.0 || ^2.0.0` */
export const MAX_RANGE_LENGTH = 256
/** messages or calls in one array */
export const MAX_BATCH = 1000
/** subscriptions of one legacy session, or of one `subscriptions/listen` */
export const MAX_SUBSCRIPTIONS = 1000
