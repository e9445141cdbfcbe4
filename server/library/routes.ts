import * as calls from '#contract/library.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'
import * as writes from './writes.ts'

export const libraryRoutes = serve(calls, {
  listResources: reads.listResources,
  getResource: reads.getResource,
  listAllResources: reads.listAllResources,
  saveResource: writes.saveResource,
  updateResource: writes.updateResource,
  listUnreviewed: reads.listUnreviewed,
  reviewResource: writes.reviewResource,
  deleteResource: writes.deleteResource,
  listTestimonials: reads.listTestimonials,
  listClinicTestimonials: reads.listClinicTestimonials,
  listPartners: reads.listPartners,
  getAnnouncement: reads.getAnnouncement,
})
