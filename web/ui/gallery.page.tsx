import { useState, type ReactNode } from 'react'
import tokens from './tokens.css?raw'
import { Accordion, Question } from './accordion.tsx'
import { useAlert } from './alert-bar.tsx'
import { AvatarPair, DRAWN_SPECIES, PetAvatar, VetAvatar } from './avatar.tsx'
import { Badge } from './badge.tsx'
import { Button, LinkButton } from './button.tsx'
import { CardFrame, CardInput } from './card-field.tsx'
import { Checkbox } from './checkbox.tsx'
import { ChoiceCard, ChoiceRow, Choices, ChoiceTile } from './choice-card.tsx'
import { DateField } from './date-field.tsx'
import { Dialog } from './dialog.tsx'
import { Empty, Failed } from './empty.tsx'
import { FileField } from './file-field.tsx'
import { IconButton, IconLink } from './icon-button.tsx'
import { Menu, MenuButton, MenuLink, MenuRule } from './menu.tsx'
import { Note } from './note.tsx'
import { Pager } from './pager.tsx'
import { PasswordField } from './password-field.tsx'
import { RadioList, Segments } from './radio.tsx'
import { say } from './say.ts'
import { Select } from './select.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { Tab, Tabs } from './tabs.tsx'
import { TextField } from './text-field.tsx'
import { Textarea } from './textarea.tsx'
import { WorkCell, WorkRow, WorkTable } from './work-table.tsx'

/* The parts that pages are made of, for developers. In development only. */

const HERE = '#gallery'
const nothing = () => {}
const COLOURS = new Set([...tokens.matchAll(/--color-([a-z-]+):/g)].map(([, name]) => name!))
const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const PASSWORD_RULES = [{ label: '8 characters', met: (password: string) => password.length >= 8 }]
const A_FILE = {
  choose: 'Choose a file',
  change: 'Change file',
  accept: 'application/pdf',
  onValueChange: nothing,
}
const SENT = new File([new Uint8Array(2_400_000)], 'invoice-march.pdf', { type: 'application/pdf' })

const Floating = () => {
  const [isOpen, setOpen] = useState(false)
  const { show } = useAlert()
  return (
    <>
      <Menu
        label="My account"
        renderOpener={(opener) => (
          <Button {...opener} variant="soft" icon="user-round">
            Menu
          </Button>
        )}
      >
        <MenuLink href={HERE} icon="settings">
          Profile
        </MenuLink>
        <MenuRule />
        <MenuButton icon="log-out">Logout</MenuButton>
      </Menu>
      <Button onClick={() => setOpen(true)}>Dialog</Button>
      <Button onClick={() => show('Pet information updated.')}>Alert bar</Button>
      <Button onClick={() => show('An Error Occurred', 'failed')}>Alert bar, failed</Button>
      {isOpen && (
        <Dialog small onClose={() => setOpen(false)} title="Cancel your membership?" keeps="Keep it">
          PawCare cover ends with the membership. Nothing more is charged.
        </Dialog>
      )}
    </>
  )
}

const SECTIONS: [title: string, parts: ReactNode][] = [
  [
    'Type',
    ['t48', 't36', 't28', 't22', 't18', 'text-16', 'text-14'].map((look) => (
      <p key={look} className={look}>
        {look}
      </p>
    )),
  ],
  [
    'Colours',
    [...COLOURS].map((name) => (
      <p key={name} className="w-30 text-14">
        <span className="block h-12 rounded-small" style={{ background: `var(--color-${name})` }} />
        {name}
      </p>
    )),
  ],
  [
    'Faces',
    <>
      {DRAWN_SPECIES.map(([name]) => (
        <PetAvatar key={name} species={name} size={56} />
      ))}
      <AvatarPair>
        <VetAvatar name="Dr Anika Naidoo" size={56} />
        <PetAvatar species="dog" size={32} />
      </AvatarPair>
    </>,
  ],
  [
    'Buttons',
    <>
      {(['primary', 'soft', 'line', 'text', 'danger', 'danger-line', 'night'] as const).map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      ))}
      {(['urgent', 'urgent-soft'] as const).map((variant) => (
        <LinkButton key={variant} href={HERE} variant={variant}>
          {variant}
        </LinkButton>
      ))}
      {([56, 48, 44, 36] as const).map((size) => (
        <Button key={size} size={size}>
          {size} high
        </Button>
      ))}
      <Button busy>Save</Button>
      <Button off="Agree to the terms to continue.">Off, with its reason</Button>
      <IconButton icon="pencil" label="Edit Biscuit" />
      <IconLink icon="video" label="Call by video" href={HERE} />
    </>,
  ],
  [
    'Fields',
    <>
      <TextField label="Email" type="email" optional help="For your receipt and the vet’s plan." />
      <TextField label="Mobile number" type="tel" error="Phone can not be empty" />
      <TextField label="Coupon" type="code" beside={<Button variant="soft">Apply</Button>} />
      <TextField label="Species" readOnly defaultValue="Dog" />
      <TextField label="Find an answer" type="search" icon="search" />
      <PasswordField label="New password" autoComplete="new-password" rules={PASSWORD_RULES} />
      <DateField label="Date of birth" value="2020-02-14" onValueChange={nothing} />
      <Select label="Reason for contact">
        <option>A question about my membership</option>
      </Select>
      <Textarea label="Message" help="It grows with what you write." />
      <FileField {...A_FILE} label="On its way" value={SENT} progress={0.6} />
      <FileField {...A_FILE} label="Refused" value={null} error="Incorrect file type" />
      <FileField
        {...A_FILE}
        label="Picture"
        picture
        value={null}
        fallback={<PetAvatar species="cat" size={96} />}
      />
      <CardInput label="Card number" autoComplete="cc-number" error="This card number isn’t complete." />
      {(['loading', 'ready', 'failed'] as const).map((state) => (
        <CardFrame key={state} label={`Card number, ${state}`} state={state} />
      ))}
    </>,
  ],
  [
    'Choices',
    <>
      <Choices legend="How would you like to talk?" across="two">
        <ChoiceCard
          name="kind"
          value="text"
          icon="message-circle"
          title="Text"
          note="Photos too."
          end="R450"
        />
        <ChoiceCard name="kind" value="video" icon="video" title="Video" note="Uses more data." end="R450" />
      </Choices>
      <Choices legend="Your plan" across="one">
        <ChoiceRow name="plan" value="year" title="Annual" note="Then R2 000 a year" end="R1 600" />
      </Choices>
      <Choices legend="What animal is it?" across="tiles">
        {DRAWN_SPECIES.map(([species, title]) => (
          <ChoiceTile
            key={species}
            small
            name="species"
            value={species}
            title={say(title)}
            picture={<PetAvatar species={species} size={44} />}
          />
        ))}
      </Choices>
      <Segments legend="Vaccinated" name="vaccinated" error="Choose yes or no" options={ANSWERS} />
      <RadioList legend="Was the chat helpful?" name="helpful" options={ANSWERS} />
      <Checkbox label="I have read the advice" error="You must agree to terms and conditions." />
    </>,
  ],
  ['What floats', <Floating key="floating" />],
  [
    'Notes and badges',
    <>
      {(['info', 'wait', 'bad', 'urgent'] as const).map((tone) => (
        <Note key={tone} tone={tone} title={tone}>
          What to do.
        </Note>
      ))}
      {(['quiet', 'green', 'amber', 'coral', 'red'] as const).map((tone) => (
        <Badge key={tone} tone={tone} icon="clock">
          {tone}
        </Badge>
      ))}
    </>,
  ],
  [
    'Lists',
    <>
      <Tabs label="Show">
        <Tab href={HERE} current>
          All
        </Tab>
        <Tab href={HERE}>Needs help</Tab>
      </Tabs>
      <WorkTable
        caption="Consultations"
        columns={[{ says: 'ID', href: HERE, sorted: 'descending' }, { says: 'Pet' }]}
      >
        <WorkRow hot>
          <WorkCell>1048</WorkCell>
          <WorkCell>Max</WorkCell>
        </WorkRow>
      </WorkTable>
      <Pager label="Pages of consultations" page={4} pages={12} href={() => HERE} />
      <SkeletonRows label="Loading your pets" />
      <Empty scene="empty-no-pets" title="No pets yet" action={<Button>Add a pet</Button>} />
      <Failed what="your pets" onRetry={nothing} />
    </>,
  ],
  [
    'Questions',
    <Accordion key="questions">
      <Question name="questions" question="Can this wait until morning?" open>
        Ask. That’s the most common question of the night.
      </Question>
      <Question name="questions" question="What should I have ready?">
        Your pet’s weight, medicines, and a photo or short video.
      </Question>
    </Accordion>,
  ],
]

const Gallery = () => (
  <div className="wrap pt-12 pb-16">
    <h1 className="t48">Components</h1>
    {SECTIONS.map(([title, parts]) => (
      <section key={title} className="stack gap-6 border-b border-line py-12">
        <h2 className="t28">{title}</h2>
        <div className="flex flex-wrap items-start gap-6 *:max-w-full [&>:is(div,fieldset)]:basis-105">
          {parts}
        </div>
      </section>
    ))}
  </div>
)
export default Gallery
