/** Pictures that this page sent, by their message's client_id. They're shown from here, so that nobody pays for downloading them again. */
const sent = new Map<string, string>()

export const ownPicture = (clientId: string): string | undefined => sent.get(clientId)

/** Called before the upload, because the stored message may arrive before the answer. */
export function showOwn(clientId: string, content: Blob) {
  if (content.type.startsWith('image/') && !sent.has(clientId))
    sent.set(clientId, URL.createObjectURL(content))
}
