import type { RouteConfigEntry } from '@react-router/dev/routes'
import type { PageRow } from '#contract/page.ts'

/** One address of the product. Without a page, it shows the not-found page. */
export interface Route extends Omit<PageRow, 'built'> {
  page?: string
}

/** One page sells text and video, so switching between them keeps everything that was typed. */
const PURCHASE = {
  kind: 'paying',
  alone: 'purchase',
  opens: 'camera',
  page: 'checkout/purchase.page.tsx',
} as const
const ROOM = { kind: 'room', alone: 'room', page: 'room/room.page.tsx' } as const

/** Every address of the product. A page's kind is only declared here. */
export const routes: Route[] = [
  { path: '/', kind: 'public', page: 'site/home.page.tsx' },
  { path: '/how-it-works', kind: 'public', page: 'site/how-it-works.page.tsx' },
  { path: '/about', kind: 'public', page: 'site/about.page.tsx' },
  { path: '/contact', kind: 'public', page: 'contact/contact.page.tsx' },
  { path: '/privacy-policy', kind: 'public', page: 'site/legal.page.tsx' },
  { path: '/terms-and-conditions', kind: 'public', page: 'site/legal.page.tsx' },
  { path: '/faq', kind: 'public', page: 'site/faq.page.tsx' },
  { path: '/video-purchase/*', ...PURCHASE },
  { path: '/chat-purchase/*', ...PURCHASE },
  { path: '/subscribe/:promo?', kind: 'paying', alone: 'subscribe', page: 'joining/subscribe.page.tsx' },
  { path: '/upgrade', kind: 'paying', alone: 'upgrade', page: 'joining/upgrade.page.tsx' },
  { path: '/phone', kind: 'account', page: 'phone/phone.page.tsx' },
  { path: '/phone/:id', kind: 'account', page: 'escalation/escalation.page.tsx' },
  { path: '/admin/:view?/:id?', kind: 'admin', page: 'admin/admin.page.tsx' },
  { path: '/content-reviews', kind: 'account', page: 'content/review.page.tsx' },
  { path: '/signup/:code?', kind: 'account', page: 'joining/signup.page.tsx' },
  { path: '/login', kind: 'account', alone: 'login', page: 'accounts/login.page.tsx' },
  { path: '/second-factor', kind: 'account', page: 'factor/second-factor.page.tsx' },
  { path: '/roster', kind: 'account', page: 'roster/roster.page.tsx' },
  { path: '/logout', kind: 'account', page: 'accounts/logout.page.tsx' },
  { path: '/signoff', kind: 'account', page: 'accounts/logout.page.tsx' },
  { path: '/claim/:code?', kind: 'account', page: 'accounts/claim.page.tsx' },
  { path: '/confirm-email/:code?', kind: 'account', page: 'profile/confirm-email.page.tsx' },
  { path: '/myaccount', kind: 'paying', alone: 'my-account', page: 'my-account/my-account.page.tsx' },
  { path: '/myaccount/profile', kind: 'paying', alone: 'profile', page: 'profile/profile.page.tsx' },
  { path: '/myaccount/care', kind: 'account', alone: 'care', page: 'pets/care.page.tsx' },
  { path: '/addpet', kind: 'account', page: 'pets/add-pet.page.tsx' },
  { path: '/text-chat/:consultation_id?', ...ROOM },
  { path: '/video-chat/:consultation_id?', ...ROOM, opens: 'camera' },
  { path: '/forgotpassword', kind: 'account', page: 'accounts/forgot-password.page.tsx' },
  { path: '/resetpwd/:code?', kind: 'account', page: 'accounts/reset-password.page.tsx' },
  { path: '/videos', kind: 'public', paged: true, page: 'library/videos.page.tsx', opens: 'videos' },
  { path: '/partners', kind: 'public', page: 'library/partners.page.tsx' },
  { path: '/thank-you', kind: 'account', page: 'joining/thank-you.page.tsx' },
  { path: '/resources', kind: 'public', paged: true, page: 'library/resources.page.tsx' },
  { path: '/resource/ebook/:slug', kind: 'public', page: 'library/ebook.page.tsx' },
  { path: '/resource/infographic/:slug', kind: 'public', page: 'library/infographic.page.tsx' },
  {
    path: '/userVideo/:customer_id/:consult_id',
    ...ROOM,
    page: 'room/consult-link.page.tsx',
    opens: 'camera',
  },
  { path: '/testimonials', kind: 'public', page: 'library/testimonials.page.tsx' },
  { path: '/clinic-portal/:view?', kind: 'clinic', page: 'portal/clinic-portal.page.tsx' },
  { path: '/on-call/:code?', kind: 'clinic', page: 'escalation/on-call.page.tsx' },
  { path: '/clinic-invitation/:code?', kind: 'account', page: 'clinics/invitation.page.tsx' },
  { path: '/petculture-plus/*', kind: 'public', page: 'site/petculture-plus.page.tsx' },
  { path: '/pawcare', kind: 'public', page: 'site/pawcare.page.tsx' },
  { path: '/vet-clinic', kind: 'public', page: 'site/vet-clinic.page.tsx' },
  { path: '/vet-expo', kind: 'public', opens: 'expo', page: 'library/vet-expo.page.tsx' },
  { path: '/offline', kind: 'public', secret: true, page: 'site/offline.page.tsx' },
  { path: '/newsletter/join/:code', kind: 'public', secret: true, page: 'contact/newsletter-join.page.tsx' },
  {
    path: '/newsletter/leave/:code',
    kind: 'public',
    secret: true,
    page: 'contact/newsletter-leave.page.tsx',
  },
  { path: '/sandbox/mail', kind: 'account', page: 'sandbox/sandbox-mail.page.tsx' },
  { path: '/sandbox/sms', kind: 'account', page: 'sandbox/sandbox-sms.page.tsx' },
  { path: '*', kind: 'public' },
]

/** The parts that pages are made of, in development only. Plain Node has no `env` here. */
if ((import.meta as { env?: { DEV?: boolean } }).env?.DEV)
  routes.push({ path: '/gallery', kind: 'account', page: 'ui/gallery.page.tsx' })

const entry = ({ path, page = 'shell/not-found.page.tsx' }: Route): RouteConfigEntry => ({
  id: path,
  file: page,
  ...(path === '/' ? { index: true } : { path: path.replace(/^\//, '') }),
})

export default routes.map(entry)
