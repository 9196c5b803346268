/** In place of a field of a listing that another field of the definition has unchanged. */
export const AS_DEFINED = 'as it stands here'
