import * as calls from '#contract/library.ts'
import { serve } from '../http/serve.ts'
import * as reads from './reads.ts'

export const libraryRoutes = serve(calls, {
  listResources: reads.listResources,
  getResource: reads.getResource,
  listTestimonials: reads.listTestimonials,
  listClinicTestimonials: reads.listClinicTestimonials,
  listPartners: reads.listPartners,
  getAnnouncement: reads.getAnnouncement,
})
