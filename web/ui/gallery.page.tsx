import { useState, type ReactNode } from 'react'
import tokens from './tokens.css?raw'
import { Accordion, Question } from './accordion.tsx'
import { useAlert } from './alert-bar.tsx'
import { AvatarPair, DRAWN_SPECIES, PetAvatar, VetAvatar } from './avatar.tsx'
import { Badge } from './badge.tsx'
import { Button, LinkButton } from './button.tsx'
import { Card, CardHead } from './card.tsx'
import { CardFrame, CardInput } from './card-field.tsx'
import { Checkbox } from './checkbox.tsx'
import { ChoiceCard, ChoiceRow, Choices, ChoiceTile } from './choice-card.tsx'
import { Combobox } from './combobox.tsx'
import { DateField } from './date-field.tsx'
import { Dialog } from './dialog.tsx'
import { Empty, Failed } from './empty.tsx'
import { FileField } from './file-field.tsx'
import { IconButton, IconLink } from './icon-button.tsx'
import { Icon } from './icon.tsx'
import { Menu, MenuButton, MenuLink, MenuRule } from './menu.tsx'
import { Note } from './note.tsx'
import { Pager } from './pager.tsx'
import { PasswordField } from './password-field.tsx'
import { Progress } from './progress.tsx'
import { RadioList, Segments } from './radio.tsx'
import { say } from './say.ts'
import { Select } from './select.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { Spinner } from './spinner.tsx'
import { Tab, Tabs } from './tabs.tsx'
import { TextField } from './text-field.tsx'
import { Textarea } from './textarea.tsx'
import { WorkCell, WorkRow, WorkTable } from './work-table.tsx'

/* Every component in its states, for developers. In development only. A whole form is at /add-pet. */

const HERE = '#gallery'
const nothing = () => {}

const COLOURS = new Set([...tokens.matchAll(/--(color-[a-z-]+):/g)].map(([, name]) => name!))
const BREEDS = ['Golden Retriever', 'Labrador Retriever', 'Löwchen'].map((label) => ({ value: label, label }))
const BREED_WORDS = {
  all: 'breeds',
  choose: 'Choose a breed from the list',
  found: (count: number) => (count === 1 ? '1 breed' : `${count} breeds`),
}
const PASSWORD_RULES = [
  { label: '8 characters', met: (password: string) => password.length >= 8 },
  { label: '0–9', met: (password: string) => /[0-9]/.test(password) },
]
const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const A_FILE = { choose: 'Choose a file', change: 'Change file', accept: 'application/pdf' }
const SENT = new File([new Uint8Array(2_400_000)], 'invoice-march.pdf', { type: 'application/pdf' })

const Type = () => (
  <div className="stack gap-4">
    <p className="t48 font-bold">48 The first line of a public page</p>
    <p className="t36 font-bold">36 A section, an account page</p>
    <p className="t28 font-bold">28 A dialog</p>
    <p className="t22 font-bold">22 A card, a form section</p>
    <p className="t18">18 A row, a step, a question to answer</p>
    <p className="max-w-measure">16 Everything that one reads and types, about 62 characters a line.</p>
    <p className="text-14 text-ink-soft">14 Help below a field, times, the small print. Never smaller.</p>
  </div>
)

const Colours = () => (
  <div className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-4">
    {[...COLOURS].map((name) => (
      <div key={name} className="stack content-start gap-1 text-14 leading-[1.4]">
        <span className="h-14 rounded-small border border-line" style={{ background: `var(--${name})` }} />
        {name.replace('color-', '')}
      </div>
    ))}
  </div>
)

const Faces = () => (
  <Row>
    <Icon name="message-circle" size={16} className="text-green" />
    <Icon name="video" className="text-green" />
    <Icon name="shield-check" size={24} className="text-green" />
    {DRAWN_SPECIES.map(([name]) => (
      <PetAvatar key={name} species={name} size={56} />
    ))}
    <VetAvatar name="Dr Anika Naidoo" size={64} />
    <VetAvatar name="Dr Zanele Dube" size={40} />
    <AvatarPair>
      <VetAvatar name="Dr Anika Naidoo" size={56} />
      <PetAvatar species="dog" size={32} />
    </AvatarPair>
  </Row>
)

function Buttons() {
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Row>
        <Button variant="primary" busy={busy} onClick={() => setBusy(true)}>
          Works when pressed
        </Button>
        <Button variant="primary" off="Agree to the terms to continue.">
          Off, with its reason
        </Button>
        {(['soft', 'line', 'text', 'danger', 'danger-line'] as const).map((variant) => (
          <Button key={variant} variant={variant} icon={variant === 'soft' ? 'message-circle' : undefined}>
            {variant}
          </Button>
        ))}
        {(['urgent', 'urgent-soft'] as const).map((variant) => (
          <LinkButton key={variant} href={HERE} variant={variant}>
            Chat now
          </LinkButton>
        ))}
      </Row>
      <Row>
        {([56, 44, 36] as const).map((size) => (
          <Button key={size} variant="primary" size={size}>
            {size} high
          </Button>
        ))}
        <IconButton icon="pencil" label="Edit Biscuit" />
        <IconButton icon="x" label="Close" iconSize={24} />
        <IconLink icon="video" label="Call by video" href={HERE} />
      </Row>
      <div className="rounded-panel bg-night p-6 text-on-night">
        <Button variant="night" size={56}>
          Open the chat
        </Button>
      </div>
    </>
  )
}

function Fields() {
  const [breed, setBreed] = useState('Golden Retriever')
  const [birth, setBirth] = useState('2020-02-14')
  return (
    <Halves>
      <TextField label="First name" autoComplete="given-name" defaultValue="Thandi" />
      <TextField label="Email" type="email" help="For your receipt and the vet’s plan." />
      <TextField label="Mobile number" type="tel" error="Phone can not be empty" />
      <TextField label="Coupon" type="code" optional beside={<Button variant="soft">Apply</Button>} />
      <TextField label="Microchip" type="digits" optional help="15 digits" />
      <TextField label="Species" readOnly defaultValue="Dog" help="You can’t change it later." />
      <TextField label="Find an answer" type="search" icon="search" />
      <PasswordField label="Password" aside={<a href={HERE}>Forgot your password?</a>} />
      <PasswordField label="New password" autoComplete="new-password" rules={PASSWORD_RULES} />
      <Combobox label="Breed" says={BREED_WORDS} options={BREEDS} value={breed} onValueChange={setBreed} />
      <DateField label="Date of birth" value={birth} onValueChange={setBirth} help="A guess is fine." />
      <Select label="Reason for contact">
        <option>A question about my membership</option>
        <option>Something else</option>
      </Select>
      <Textarea label="Message" optional help="It grows with what you write." />
    </Halves>
  )
}

const Choosing = () => (
  <Halves>
    <Choices legend="How would you like to talk?" across="two">
      <ChoiceCard name="kind" value="text" icon="message-circle" title="Text" note="Photos too." end="R450" />
      <ChoiceCard name="kind" value="video" icon="video" title="Video" note="Uses more data." end="R450" />
    </Choices>
    <Choices legend="Your plan" across="one">
      <ChoiceRow name="plan" value="year" title="Annual" note="Then R2 000 a year" end="R1 600" />
      <ChoiceRow name="plan" value="month" title="Monthly" note="Then R200 a month" end="R160" />
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
    <Segments legend="Vaccinated" name="vaccinated" defaultValue="yes" options={ANSWERS} />
    <Segments legend="Desexed" name="desexed" error="Choose yes or no" options={ANSWERS} />
    <RadioList legend="Was the chat helpful?" name="helpful" defaultValue="yes" options={ANSWERS} />
    <div>
      <Checkbox defaultChecked label="Remember me" />
      <Checkbox label="I have read the advice" error="You must agree to terms and conditions." />
    </div>
  </Halves>
)

function Files() {
  const [picture, setPicture] = useState<File | null>(null)
  return (
    <Halves>
      <FileField
        label="Picture of your pet"
        choose="Add a picture"
        change="Change picture"
        accept="image/jpeg,image/png"
        picture
        help="JPEG or PNG, up to 16 MB."
        fallback={<PetAvatar species="cat" size={96} />}
        value={picture}
        onValueChange={setPicture}
      />
      <FileField {...A_FILE} label="On its way" value={SENT} onValueChange={nothing} progress={0.6} />
      <FileField
        {...A_FILE}
        label="Refused"
        value={null}
        onValueChange={nothing}
        error="Incorrect file type"
      />
      <CardInput
        label="Card number"
        autoComplete="cc-number"
        mark={<Icon name="credit-card" />}
        error="This card number isn’t complete."
      />
      <CardFrame label="Card number, on its way" state="loading" />
      <CardFrame label="Card number, there" state="ready" help="The provider’s frame stands in here." />
      <CardFrame label="Card number, in focus" state="ready" focused />
      <CardFrame label="Card number, refused" state="ready" error="Your card was declined." />
      <CardFrame label="Card number, not loaded" state="failed" onRetry={nothing} />
    </Halves>
  )
}

function Floating() {
  const [isOpen, setOpen] = useState(false)
  const alert = useAlert()
  const close = () => setOpen(false)
  return (
    <Row>
      <Menu
        label="My account"
        renderOpener={(opener) => (
          <Button {...opener} variant="soft" icon="user-round">
            My account
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
      <Button onClick={() => alert.show('Pet information updated.')}>Alert bar</Button>
      <Button onClick={() => alert.show('An Error Occurred', 'failed')}>Alert bar, failed</Button>
      {isOpen && (
        <Dialog
          small
          onClose={close}
          title="Cancel your membership?"
          foot={
            <Button variant="danger" onClick={close}>
              Cancel my membership
            </Button>
          }
          keeps="Keep it"
        >
          PawCare cover ends with the membership. Nothing more is charged.
        </Dialog>
      )}
    </Row>
  )
}

const Notes = () => (
  <>
    <Row>
      {(['quiet', 'green', 'amber', 'coral', 'red'] as const).map((tone) => (
        <Badge key={tone} tone={tone} icon={tone === 'amber' ? 'clock' : undefined}>
          {tone}
        </Badge>
      ))}
    </Row>
    <Halves>
      {(['info', 'wait', 'bad', 'urgent'] as const).map((tone) => (
        <Note key={tone} tone={tone} title="What happened">
          What to do. <a href={HERE}>Continue in text</a>
        </Note>
      ))}
    </Halves>
  </>
)

const Table = () => (
  <>
    <Tabs label="Show">
      <Tab href={HERE} current>
        All
      </Tab>
      <Tab href={HERE}>Needs help</Tab>
    </Tabs>
    <WorkTable
      caption="Consultations"
      columns={[
        { says: 'ID', className: 'w-24' },
        { says: 'Owner and pet' },
        { says: 'Start', className: 'w-52', href: HERE, sorted: 'descending' },
        { says: 'Action', className: 'w-40', unseen: true },
      ]}
    >
      {[1048, 1045].map((id, at) => (
        <WorkRow key={id} hot={at === 0}>
          <WorkCell className="cards:order-2">{id}</WorkCell>
          <WorkCell className="cards:order-1">Lerato Molefe, Max</WorkCell>
          <WorkCell className="cards:order-3">Sat 21 Nov, 13:41</WorkCell>
          <WorkCell className="cards:order-4">
            <LinkButton href={HERE} size={36} variant="soft">
              Open case
            </LinkButton>
          </WorkCell>
        </WorkRow>
      ))}
    </WorkTable>
    <Pager label="Pages of consultations" page={4} pages={12} href={(page) => `#page-${page}`} />
  </>
)

const States = () => (
  <div className="stack gap-6 lg:grid-cols-[repeat(3,minmax(0,1fr))]">
    {[
      <SkeletonRows key="loading" label="Loading your pets" />,
      <Empty key="empty" scene="empty-no-pets" title="No pets yet" action={<Button>Add a pet</Button>}>
        Add the first, and a vet knows them before you start talking.
      </Empty>,
      <Failed key="failed" what="your pets" onRetry={nothing} />,
    ].map((state) => (
      <Card key={state.key} flush>
        <CardHead>
          <h3 className="t22">My pets</h3>
        </CardHead>
        {state}
      </Card>
    ))}
  </div>
)

const Moving = () => (
  <Halves>
    <Accordion>
      <Question name="questions" question="Can this wait until morning?" open>
        <p>Ask. That’s the most common question of the night.</p>
      </Question>
      <Question name="questions" question="What should I have ready?">
        <p>Your pet’s weight, medicines, and a photo or short video.</p>
      </Question>
    </Accordion>
    <Progress label="Sending photo 1 of 2" value={60} far="60%" />
    <p className="flex items-center gap-3">
      <Spinner className="text-green" />
      Taking the payment. Don’t close this page.
    </p>
  </Halves>
)

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)
const Halves = ({ children }: { children: ReactNode }) => (
  <div className="stack items-start gap-6 lg:grid-cols-[repeat(2,minmax(0,1fr))] lg:gap-x-12">{children}</div>
)

const SECTIONS: [title: string, about: string, Parts: () => ReactNode][] = [
  ['Type', 'Figtree, one file. Seven sizes, four weights.', Type],
  ['Colour', 'A token is a role. Dark mode changes its colour, and never its role.', Colours],
  ['Icons and faces', 'Every icon has a word beside it.', Faces],
  ['Buttons', 'One filled button a screen. The verb and the thing; the amount where money moves.', Buttons],
  ['Fields', 'Label above, help below, error in words.', Fields],
  ['Choosing', 'The whole card can be pressed. A tick says what the colour says.', Choosing],
  ['Files and cards', 'A picture is seen before it is saved. The card field is the provider’s own.', Files],
  ['What floats', 'The only things with a shadow. On a phone a dialog is a sheet.', Floating],
  ['Badges and notes', 'A colour never speaks alone: there is always a word.', Notes],
  ['Table, filters, pages', 'The filter is in the address. Below 900 px every row becomes a card.', Table],
  ['Loading, empty, failed', 'Skeletons have the final size, so nothing jumps.', States],
  ['Accordion and progress', 'They say in words how far something is.', Moving],
]

export default function Gallery() {
  return (
    <div className="wrap pt-12 pb-16">
      <h1 className="t48">Components</h1>
      {SECTIONS.map(([title, about, Parts]) => (
        <section key={title} className="stack gap-6 border-b border-line py-12 last:border-0">
          <div className="stack gap-2">
            <h2 className="t28">{title}</h2>
            <p className="text-ink-soft">{about}</p>
          </div>
          <Parts />
        </section>
      ))}
    </div>
  )
}
