import * as calls from '#contract/content.ts'
import { serve } from '../http/serve.ts'
import * as clinics from './clinic-reads.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const contentRoutes = serve(calls, {
  listContent: reads.listContent,
  getContent: reads.getContent,
  addContent: writes.addContent,
  saveDraft: writes.saveDraft,
  discardDraft: writes.discardDraft,
  publishContent: writes.publishContent,
  takeContentDown: writes.takeContentDown,
  listReviews: reads.listReviews,
  reviewContent: writes.reviewContent,
  listQuestions: reads.listQuestions,
  listAdvice: reads.listAdvice,
  legalReview: reads.legalReview,
  listOpenClinics: clinics.listOpenClinics,
})
