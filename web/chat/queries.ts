import { queryOptions } from '@tanstack/react-query'
import * as aftercare from '#contract/aftercare.ts'
import * as chat from '#contract/chat.ts'
import { changeGuestEmail } from '#contract/checkout.ts'
import * as calls from '#contract/consultations.ts'
import { listReceipts } from '#contract/ledger.ts'
import { api, type CallOptions } from '../lib/api.ts'
import { query, useCall } from '../lib/queries.ts'

/** One consultation as its room needs it. Where the account has no access, a guest's own token is tried. */
export const roomQuery = (id: number, why?: string) =>
  queryOptions({
    queryKey: [calls.getConsultation.path, { id, why }],
    queryFn: async ({ signal }) => {
      const asked = { id, ...(why !== undefined && { why }) }
      return (await api(calls.getConsultation, asked, { consultation: id, signal })).consultation
    },
    refetchOnWindowFocus: 'always',
  })

/* The conversation without a socket. */

const about = (consultation: number): CallOptions => ({ consultation, timeout: 15_000 })

export const readMessages = (which: { consultation: number; after?: number; before?: number }) =>
  api(chat.readMessages, which, about(which.consultation))

export const filesOf = (consultation: number) => query(chat.listFiles, { consultation })

export const sendMessageByCall = (message: { consultation: number; client_id: string; body: string }) =>
  api(chat.sendMessageByCall, message, about(message.consultation))

/** Sends a file. The same client_id again is the same file. */
export const sendFile = (
  consultation: number,
  { id, file }: { id: string; file: File },
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
) =>
  api(
    chat.attachFile,
    { consultation, client_id: id, file },
    { consultation, onProgress, ...(signal && { signal }) },
  )

export const sendMarksByCall = (mark: { consultation: number; delivered: number; seen: number }) =>
  api(chat.sendMarksByCall, mark, about(mark.consultation))

/* What the owner can do. */

const aboutRoom = (id: number) =>
  ({ invalidates: [calls.getConsultation], options: { consultation: id } }) as const
const shownBeside = (id: number) => ({ ...aboutRoom(id), showsFailure: true }) as const

export const useCancel = (id: number) => useCall(calls.cancelConsultation, aboutRoom(id))
export const useAskForMail = (id: number) => useCall(calls.askForMail, aboutRoom(id))
export const useChangeGuestEmail = (id: number) => useCall(changeGuestEmail, shownBeside(id))
export const useRate = (id: number) => useCall(calls.rateConsultation, shownBeside(id))
export const accessQuery = (id: number) => query(calls.listAccess, { id }, { consultation: id })
export const useCheckIn = (id: number) => useCall(aftercare.checkIn, shownBeside(id))
export const useReopen = (id: number) => useCall(aftercare.reopenConsultation, shownBeside(id))
export const useChooseClinic = (id: number) =>
  useCall(aftercare.chooseClinic, {
    ...shownBeside(id),
    invalidates: [calls.getConsultation, aftercare.listShares],
  })
/** The clinics that it was shared with, and the one that is probably the owner's. */
export const sharesOf = (id: number) => query(aftercare.listShares, { id }, { consultation: id })
export const planFile = (id: number) => query(aftercare.getPlanFile, { id }, { consultation: id })
/** Clinics whose name or town begins with `q`. */
export const clinicsFound = (id: number, q: string) =>
  query(aftercare.findClinics, { q }, { consultation: id })
export const useLoginByLink = () => useCall(calls.loginByLink, { showsFailure: true })
/** With their token, guests can read the receipts of their own consult. */
export const receiptsOf = (id: number) => query(listReceipts, {}, { consultation: id })
