import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { SignedInClinic } from '#contract/portal.ts'
import { Logo } from '../shell/logo.tsx'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { LateDialog } from '../ui/late-dialog.tsx'
import { Menu, MenuButton, MenuLink, MenuRule } from '../ui/menu.tsx'
import { useLogoutClinic } from './queries.ts'
import { SkipLink } from '../shell/skip-link.tsx'

const loadMail = () => import('./mail-dialog.tsx')
const loadPassword = () => import('./password-dialog.tsx')

const passwordTitle = (person: string | null) =>
  person === null ? 'Change the clinic’s password' : 'Change your password'

/** The portal's simple frame: the clinic's name, and a menu for one's own sign-in. */
export function PortalFrame({
  clinic,
  children,
}: {
  clinic: SignedInClinic | undefined
  children: ReactNode
}) {
  const logout = useLogoutClinic()
  const go = useNavigate()
  const [open, setOpen] = useState<'mail' | 'password'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <SkipLink />
      <header className="border-b border-line bg-card">
        <div className="flex min-h-16 flex-wrap items-center gap-x-3 px-4 md:px-6">
          <Logo />
          {clinic && (
            <p className="min-w-0 flex-1 truncate border-l border-line pl-3 text-14 text-ink-soft max-sm:sr-only">
              {clinic.clinic}
            </p>
          )}
          {clinic && (
            <div className="ml-auto min-w-0">
              <Menu
                label="Your sign-in"
                renderOpener={(props) => (
                  <Button {...props} variant="text" size={44}>
                    <span className="max-w-44 truncate">{clinic.person ?? clinic.username}</span>
                    <Icon name="chevron-down" size={16} />
                  </Button>
                )}
              >
                <MenuLink icon="timer" href="/clinic-portal/deferred">
                  Calls deferred
                </MenuLink>
                <MenuButton icon="mail" onClick={() => setOpen('mail')}>
                  When we email you
                </MenuButton>
                <MenuButton icon="lock" onClick={() => setOpen('password')}>
                  Change the password
                </MenuButton>
                <MenuRule />
                <MenuButton
                  icon="log-out"
                  onClick={() => {
                    logout()
                    // Removes the search from the address, so that the next person doesn't see it.
                    void go('/clinic-portal', { replace: true })
                  }}
                >
                  Sign out
                </MenuButton>
              </Menu>
            </div>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="print:min-h-0">
        {children}
      </main>
      {open === 'mail' && clinic && (
        <LateDialog load={loadMail} title="When we email you" onClose={close}>
          {({ MailDialog }) => <MailDialog clinic={clinic} onClose={close} />}
        </LateDialog>
      )}
      {open === 'password' && clinic && (
        <LateDialog load={loadPassword} title={passwordTitle(clinic.person)} onClose={close}>
          {({ PasswordDialog }) => (
            <PasswordDialog title={passwordTitle(clinic.person)} person={clinic.person} onClose={close} />
          )}
        </LateDialog>
      )}
    </>
  )
}

export const PortalPage = ({ children }: { children: ReactNode }) => (
  <div className="stack mx-auto w-full max-w-[920px] content-start gap-5 px-4 pt-6 pb-16 md:px-6 md:pt-8">
    {children}
  </div>
)
