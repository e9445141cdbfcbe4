import { useState, type ReactNode } from 'react'
import { Accordion, Question } from './accordion.tsx'
import { useAlert } from './alert-bar.tsx'
import { AvatarPair, DRAWN_SPECIES, PetAvatar, VetAvatar } from './avatar.tsx'
import { Badge, Count } from './badge.tsx'
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
import { Control, FieldPair, Form, FormSection, useForm, type Schema } from './form.tsx'
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
import { Tooltip } from './tooltip.tsx'
import { WorkCell, WorkRow, WorkTable } from './work-table.tsx'

const passwordRules = [
  { label: '8 characters', met: (password: string) => password.length >= 8 },
  { label: 'a–z', met: (password: string) => /[a-z]/.test(password) },
  { label: 'A–Z', met: (password: string) => /[A-Z]/.test(password) },
  { label: '0–9', met: (password: string) => /[0-9]/.test(password) },
]
const breedsSaid = {
  all: 'breeds',
  choose: 'Choose a breed from the list',
  found: (count: number) => (count === 1 ? '1 breed' : `${count} breeds`),
}
const breeds = [
  'Chesapeake Bay Retriever',
  'Curly-Coated Retriever',
  'Flat-Coated Retriever',
  'Golden Retriever',
  'Labrador Retriever',
  'Löwchen',
  'Staffordshire Bull Terrier',
].map((label) => ({ value: label, label }))

const sexes = [
  { value: '1', label: 'Male' },
  { value: '2', label: 'Female' },
]
const petPicture = {
  label: 'Picture of your pet',
  choose: 'Add a picture',
  change: 'Change picture',
  accept: 'image/jpeg,image/png',
  picture: true,
  help: 'Optional. JPEG or PNG, up to 16 MB.',
}
const anyFile = { choose: 'Choose a file', change: 'Change file', accept: 'application/pdf' }

/** Every component in its states, for developers. In development only. */
export default function Gallery() {
  return (
    <div className="wrap pt-12 pb-16">
      <div className="stack gap-3">
        <h1 className="t48">Components</h1>
        <p className="lead">Every part of the product, in its states. Light and dark follow the system.</p>
      </div>
      <Type />
      <Colour />
      <Icons />
      <Buttons />
      <Fields />
      <Choosing />
      <Files />
      <WholeForm />
      <Floating />
      <Notes />
      <Consultations />
      <States />
      <Moving />
    </div>
  )
}

function Section({ title, about, children }: { title: string; about?: string; children: ReactNode }) {
  return (
    <section className="stack gap-6 border-b border-line py-12 last:border-0">
      <div className="stack gap-2">
        <h2 className="t28">{title}</h2>
        {about && <p className="text-ink-soft">{about}</p>}
      </div>
      {children}
    </section>
  )
}

const Halves = ({ children }: { children: ReactNode }) => (
  <div className="stack items-start gap-8 lg:grid-cols-[repeat(2,minmax(0,1fr))] lg:gap-x-12">{children}</div>
)
const Column = ({ children }: { children: ReactNode }) => <div className="stack gap-6">{children}</div>
const Example = ({ of, children }: { of: string; children: ReactNode }) => (
  <div className="stack gap-3">
    <p className="text-14 text-ink-soft">{of}</p>
    <div className="flex flex-wrap items-start gap-3">{children}</div>
  </div>
)

const SpeciesTiles = ({ legend, name }: { legend: string; name: string }) => (
  <Choices legend={legend} across="tiles">
    {DRAWN_SPECIES.map(([species, title]) => (
      <ChoiceTile
        key={species}
        small
        name={name}
        value={species}
        title={say(title)}
        picture={<PetAvatar species={species} size={44} />}
        defaultChecked={species === 'cat'}
      />
    ))}
  </Choices>
)

const Type = () => (
  <Section title="Type" about="Figtree, one file. Seven sizes, four weights.">
    <div className="stack gap-4">
      <p className="t48 font-bold">48 The first line of a public page</p>
      <p className="t36 font-bold">36 A section, an account page</p>
      <p className="t28 font-bold">28 A dialog</p>
      <p className="t22 font-bold">22 A card, a form section</p>
      <p className="t18">18 A row, a step, an answerable question</p>
      <p className="max-w-measure">
        16 Everything one reads and types. Long text keeps to about 62 characters a line, so that the eye
        finds the next one at two in the morning.
      </p>
      <p className="text-14 text-ink-soft">14 Help below a field, times, the small print. Never smaller.</p>
    </div>
  </Section>
)

const swatches: [string, string, string][] = [
  ['paper', 'bg-paper', 'page'],
  ['paper-sunk', 'bg-paper-sunk', 'bands, table heads'],
  ['card', 'bg-card', 'raised'],
  ['line', 'bg-line', 'hairlines'],
  ['line-strong', 'bg-line-strong', 'edges of controls'],
  ['ink', 'bg-ink', 'text'],
  ['ink-soft', 'bg-ink-soft', 'second text'],
  ['green', 'bg-green', 'brand, primary'],
  ['green-soft', 'bg-green-soft', 'selected'],
  ['night', 'bg-night', 'one panel a page'],
  ['coral', 'bg-coral', 'drawings, marks'],
  ['coral-fill', 'bg-coral-fill', 'the Chat now button'],
  ['coral-soft', 'bg-coral-soft', 'urgent note'],
  ['amber', 'bg-amber', 'waiting'],
  ['amber-soft', 'bg-amber-soft', 'waiting'],
  ['red', 'bg-red', 'errors, ended'],
  ['red-soft', 'bg-red-soft', 'errors'],
]

const Colour = () => (
  <Section title="Colour" about="A token is a role. It changes with the dark theme; the role does not.">
    <div className="grid grid-cols-[repeat(auto-fill,minmax(112px,1fr))] gap-4">
      {swatches.map(([name, ground, role]) => (
        <div key={name} className="stack content-start gap-1 text-14 leading-[1.4]">
          <span className={`h-14 rounded-small border border-line ${ground}`} />
          <span className="font-semi">{name}</span>
          <span className="text-ink-soft">{role}</span>
        </div>
      ))}
    </div>
  </Section>
)

const Icons = () => (
  <Section
    title="Icons and faces"
    about="Every icon has a word beside it. Eleven species, and a vet’s initials."
  >
    <div className="flex flex-wrap items-center gap-4 text-green">
      <Icon name="message-circle" size={16} />
      <Icon name="video" />
      <Icon name="shield-check" size={24} />
    </div>
    <div className="flex flex-wrap items-center gap-3">
      {DRAWN_SPECIES.map(([name]) => (
        <PetAvatar key={name} species={name} size={56} />
      ))}
    </div>
    <div className="flex flex-wrap items-center gap-4">
      <PetAvatar species="dog" size={96} />
      <VetAvatar name="Dr Anika Naidoo" size={64} />
      <VetAvatar name="Dr Johan Steyn" />
      <VetAvatar name="Dr Zanele Dube" size={40} />
      <AvatarPair>
        <VetAvatar name="Dr Anika Naidoo" size={56} />
        <PetAvatar species="dog" size={32} />
      </AvatarPair>
    </div>
  </Section>
)

function Buttons() {
  const [busy, setBusy] = useState(false)
  return (
    <Section
      title="Buttons"
      about="One filled button a screen. The verb and the thing; the amount where money moves."
    >
      <Halves>
        <Column>
          <Example of="Primary: normal, working when pressed, off with its reason">
            <Button variant="primary">Save changes</Button>
            <Button variant="primary" busy={busy} onClick={() => setBusy(true)}>
              Save changes
            </Button>
            <Button variant="primary" busy>
              Save changes
            </Button>
            <Button variant="primary" off="Agree to the terms to go on.">
              Save changes
            </Button>
          </Example>
          <Example of="Urgent: “Chat now” only. Soft in the header, filled in the page">
            <LinkButton href="#gallery" variant="urgent">
              Chat now
            </LinkButton>
            <LinkButton href="#gallery" variant="urgent-soft">
              Chat now
            </LinkButton>
          </Example>
          <Example of="Soft, line, text">
            <Button variant="soft" icon="message-circle">
              Text now
            </Button>
            <Button variant="line">Manage subscription</Button>
            <Button variant="text">Cancel</Button>
          </Example>
        </Column>
        <Column>
          <Example of="56, 48 and 44 high">
            <Button variant="primary" size={56}>
              Pay R450 and start chat
            </Button>
            <Button variant="soft">Add pet</Button>
            <Button size={44}>Try again</Button>
          </Example>
          <Example of="Ending something">
            <Button variant="danger">Cancel my membership</Button>
            <Button variant="danger-line">Remove card</Button>
          </Example>
          <Example of="Icon buttons: 44 by 44, always with a name">
            <IconButton icon="pencil" label="Edit Biscuit" />
            <IconButton icon="x" label="Close" iconSize={24} />
            <IconLink icon="video" label="Call by video" href="#gallery" />
            <Tooltip words="Only you and the vet see this">
              <IconButton icon="lock" label="Private" />
            </Tooltip>
          </Example>
          <div className="rounded-panel bg-night p-6 text-on-night">
            <Button variant="night" size={56}>
              Open the chat
            </Button>
          </div>
        </Column>
      </Halves>
    </Section>
  )
}

function Fields() {
  const [breed, setBreed] = useState('Golden Retriever')
  const [birth, setBirth] = useState('2020-02-14')
  return (
    <Section
      title="Fields"
      about="Label above, help below, error in words. No placeholder does the work of a label."
    >
      <Halves>
        <Column>
          <TextField label="First name" autoComplete="given-name" defaultValue="Thandi" />
          <TextField
            label="Email"
            type="email"
            defaultValue="thandi@example.com"
            help="For your receipt and the vet’s plan."
          />
          <TextField label="Mobile number" type="tel" error="Phone can not be empty" />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            aside={
              <a href="#gallery" className="-my-[10px] inline-flex min-h-11 items-center">
                Forgot your password?
              </a>
            }
          />
          <PasswordField label="New password" autoComplete="new-password" rules={passwordRules} />
          <TextField label="Coupon" type="code" optional beside={<Button variant="soft">Apply</Button>} />
        </Column>
        <Column>
          <Combobox label="Breed" says={breedsSaid} options={breeds} value={breed} onValueChange={setBreed} />
          <DateField
            label="Date of birth"
            value={birth}
            onValueChange={setBirth}
            help="Day, month, year. A guess is fine."
          />
          <Select label="Reason for contact">
            <option>A question about my membership</option>
            <option>Something else</option>
          </Select>
          <Textarea label="Message" optional help="It grows with what you write." />
          <TextField label="Microchip" type="digits" optional help="15 digits" />
          <TextField
            label="Species"
            readOnly
            defaultValue="Dog"
            help="Species and breed can’t be changed later."
          />
          <TextField label="Find an answer" type="search" icon="search" large />
        </Column>
      </Halves>
    </Section>
  )
}

const Choosing = () => (
  <Section title="Choosing" about="The whole card is the target. A tick says what the colour says.">
    <Halves>
      <Column>
        <Choices legend="How would you like to talk?" across="two">
          <ChoiceCard
            name="g-kind"
            value="text"
            icon="message-circle"
            title="Text"
            note="Messages and photos. Uses little data."
            end="R450"
            defaultChecked
          />
          <ChoiceCard
            name="g-kind"
            value="video"
            icon="video"
            title="Video"
            note="See each other. Uses more data."
            end="R450"
          />
        </Choices>
        <Choices legend="Your plan" across="one">
          <ChoiceRow
            name="g-plan"
            value="year"
            title="Annual"
            note="Then R2 000 a year"
            end={<span className="t18">R1 600</span>}
            defaultChecked
          />
          <ChoiceRow
            name="g-plan"
            value="month"
            title="Monthly"
            note="Then R200 a month"
            end={<span className="t18">R160</span>}
          />
        </Choices>
        <Choices legend="What animal is it?" across="three">
          {(
            [
              ['dog', 'Dog'],
              ['cat', 'Cat'],
              ['other', 'Other'],
            ] as const
          ).map(([name, title]) => (
            <ChoiceTile
              key={name}
              name="g-animal"
              value={name}
              title={title}
              picture={<PetAvatar species={name} size={56} />}
              defaultChecked={name === 'dog'}
            />
          ))}
        </Choices>
      </Column>
      <Column>
        <SpeciesTiles legend="And among all eleven" name="g-species" />
        <Segments legend="Sex" name="g-sex" defaultValue="1" options={sexes} />
        <Segments
          legend="Desexed"
          name="g-desexed"
          error="Choose yes or no"
          options={[
            { value: 'yes', label: 'Yes' },
            { value: 'no', label: 'No' },
          ]}
        />
        <RadioList
          legend="Was the chat helpful?"
          name="g-helpful"
          defaultValue="yes"
          options={[
            { value: 'yes', label: 'Yes, I know what to do' },
            { value: 'partly', label: 'Partly' },
            { value: 'no', label: 'No' },
          ]}
        />
        <div>
          <Checkbox
            defaultChecked
            label={
              <>
                I agree to the <a href="#gallery">terms and conditions</a>.
              </>
            }
          />
          <Checkbox label="Remember me" />
          <Checkbox
            label="I have read the advice"
            error="You must agree to terms and conditions in order to proceed."
          />
        </div>
      </Column>
    </Halves>
  </Section>
)

function Files() {
  const [picture, setPicture] = useState<File | null>(null)
  const [invoice, setInvoice] = useState<File | null>(null)
  const sent = new File([new Uint8Array(2_400_000)], 'invoice-march.pdf', { type: 'application/pdf' })
  return (
    <Section
      title="Files and cards"
      about="A picture is seen before it is saved. The card field is the provider’s own."
    >
      <Halves>
        <Column>
          <FileField
            {...petPicture}
            fallback={<PetAvatar species="cat" size={96} />}
            value={picture}
            onValueChange={setPicture}
          />
          <FileField {...anyFile} label="Vet’s invoice" value={invoice} onValueChange={setInvoice} />
          <FileField {...anyFile} label="On its way" value={sent} onValueChange={() => {}} progress={0.6} />
          <FileField
            {...anyFile}
            label="Refused"
            value={null}
            onValueChange={() => {}}
            error="Error : Incorrect file type"
          />
        </Column>
        <Column>
          <CardInput
            label="Card number"
            autoComplete="cc-number"
            mark={<Icon name="credit-card" />}
            error="This card number isn’t complete."
          />
          <CardInput label="Expiry date" autoComplete="cc-exp" help="MM / YY" />
          <CardFrame label="Card number, on its way" state="loading" />
          <CardFrame label="Card number, there" state="ready" help="The provider’s frame stands in here." />
          <CardFrame label="Card number, in focus" state="ready" focused />
          <CardFrame label="Card number, refused" state="ready" error="Your card was declined." />
          <CardFrame label="Card number, not loaded" state="failed" onRetry={() => {}} />
        </Column>
      </Halves>
    </Section>
  )
}

type Pet = { name: string; breed: string; born: string; sex: string; picture: File | null; agreed: boolean }

/** Stands in for a schema of the contract. */
const petSchema: Schema<Pet> = {
  '~standard': {
    validate(value) {
      const { name, breed, born, agreed } = value as Pet
      const issues = [
        !name.trim() && { path: ['name'], message: 'Give your pet’s name' },
        !breed && { path: ['breed'], message: 'Choose a breed' },
        !/^\d{4}-/.test(born) && { path: ['born'], message: 'Give the date as day, month, year' },
        !agreed && {
          path: ['agreed'],
          message: 'You must agree to terms and conditions in order to proceed.',
        },
      ].filter((issue) => issue !== false)
      return issues.length > 0 ? { issues } : { value: value as Pet }
    },
  },
}

function WholeForm() {
  const alert = useAlert()
  const form = useForm({
    schema: petSchema,
    defaults: { name: '', breed: '', born: '', sex: '1', picture: null, agreed: false },
    draft: 'gallery',
  })
  const save = async (pet: Pet) => {
    await new Promise((done) => setTimeout(done, 1200))
    if (pet.name === 'Refuse')
      throw {
        errors: ['That name is taken.', 'Missing pet details.'],
        fields: { name: 'That name is taken.' },
      }
    alert.show('Pet information updated.')
  }
  return (
    <Section
      title="A form"
      about="Errors are shown at the top and beside their fields. A draft survives a reload. The name “Refuse” is refused by the server."
    >
      <div className="max-w-[592px]">
        <Form form={form} onSubmit={save} className="stack gap-8 lg:gap-10">
          <FormSection title="Your pet">
            <Control form={form} name="picture">
              {(control) => (
                <FileField {...control} {...petPicture} fallback={<PetAvatar species="dog" size={96} />} />
              )}
            </Control>
            <FieldPair>
              <TextField label="Name" autoComplete="off" {...form.field('name')} />
              <Control form={form} name="breed">
                {(control) => <Combobox {...control} label="Breed" says={breedsSaid} options={breeds} />}
              </Control>
            </FieldPair>
            <FieldPair>
              <Control form={form} name="born">
                {(control) => (
                  <DateField {...control} label="Date of birth" help="Day, month, year. A guess is fine." />
                )}
              </Control>
              <Segments legend="Sex" options={sexes} {...form.field('sex')} />
            </FieldPair>
          </FormSection>
          <FormSection title="Terms">
            <Checkbox label="I agree to the terms and conditions." {...form.check('agreed')} />
            <Button type="submit" variant="primary" size={56} wide busy={form.busy}>
              Add pet
            </Button>
          </FormSection>
        </Form>
      </div>
    </Section>
  )
}

function Floating() {
  const [dialog, setDialog] = useState<'decision' | 'form' | null>(null)
  const [breed, setBreed] = useState('')
  const alert = useAlert()
  const close = () => setDialog(null)
  return (
    <Section title="What floats" about="The only things with a shadow. On a phone a dialog is a sheet.">
      <div className="flex flex-wrap gap-3">
        <Menu
          label="My account"
          align="start"
          renderOpener={(opener) => (
            <Button {...opener} variant="soft" icon="circle-user-round">
              My account
              <Icon name="chevron-down" size={16} />
            </Button>
          )}
        >
          <MenuLink href="#gallery" icon="circle-user-round">
            My account
          </MenuLink>
          <MenuLink href="#gallery" icon="settings">
            Profile
          </MenuLink>
          <MenuRule />
          <MenuButton icon="log-out">Logout</MenuButton>
        </Menu>
        <Button onClick={() => setDialog('decision')}>A decision</Button>
        <Button onClick={() => setDialog('form')}>A short form</Button>
        <Button onClick={() => alert.show('Pet information updated.')}>Alert bar</Button>
        <Button onClick={() => alert.show('An Error Occurred', 'failed')}>Alert bar, failed</Button>
      </div>
      <Dialog
        small
        open={dialog === 'decision'}
        onClose={close}
        title="Cancel your membership?"
        foot={
          <>
            <Button variant="danger" onClick={close}>
              Cancel my membership
            </Button>
            <Button variant="text" onClick={close}>
              Keep it
            </Button>
          </>
        }
      >
        <p>
          Consults go on until <strong>Sun 14 Mar 2027</strong>, the time you’ve paid for. PawCare cover ends
          with the membership. Nothing more is charged.
        </p>
      </Dialog>
      <Dialog
        open={dialog === 'form'}
        onClose={close}
        title="Add a pet"
        foot={
          <>
            <Button variant="primary" onClick={close}>
              Add Mielie
            </Button>
            <Button variant="text" onClick={close} className="max-sm:hidden">
              Cancel
            </Button>
          </>
        }
      >
        <SpeciesTiles legend="What animal is it?" name="g-dialog" />
        <FieldPair>
          <TextField label="Name" autoComplete="off" defaultValue="Mielie" />
          <Combobox label="Breed" says={breedsSaid} options={breeds} value={breed} onValueChange={setBreed} />
        </FieldPair>
        <Textarea label="Anything a vet should know" optional />
      </Dialog>
    </Section>
  )
}

const Notes = () => (
  <Section title="Badges and notes" about="A colour never speaks alone: there is always a word.">
    <div className="flex flex-wrap items-center gap-3">
      <Badge tone="amber" icon="clock">
        Needs help
      </Badge>
      <Badge tone="green">In progress</Badge>
      <Badge>Completed</Badge>
      <Badge tone="red">Ended</Badge>
      <Badge tone="coral" icon="siren">
        Urgent
      </Badge>
      <Badge tone="green" icon="shield-check">
        Covered by PawCare
      </Badge>
      <Count n={2} of="new messages" />
    </div>
    <div className="stack items-start gap-4 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Note tone="info" title="You’re next">
        A vet joins in about 4 minutes. Have Biscuit’s weight and the wrapper ready.
      </Note>
      <Note tone="wait" icon="wifi-off" title="The line is weak">
        Your messages are kept and sent when it’s back. <a href="#gallery">Continue in text</a>
      </Note>
      <Note tone="bad" title="Failed to make a payment. Try again.">
        Nothing was taken from your card. What you typed is still here.
      </Note>
      <Note tone="urgent" title="Can’t breathe or collapsed?">
        Don’t wait for a chat. Phone the nearest open clinic and go now.
      </Note>
    </div>
  </Section>
)

const consultations = [
  {
    id: 1048,
    tone: 'amber',
    state: 'Needs help',
    user: 'Lerato Molefe',
    pet: 'Max, dog',
    start: 'Sat 21 Nov, 13:41',
    wait: 'waiting 24 minutes',
    late: true,
  },
  {
    id: 1045,
    tone: 'quiet',
    state: 'Completed',
    user: 'Aisha Patel',
    pet: 'Pixel, rabbit',
    start: 'Sat 21 Nov, 12:50',
    wait: '',
    late: false,
  },
] as const

const Consultations = () => (
  <Section
    title="Table, filters, pages"
    about="The filter is in the address. Below 900 px every row becomes a card."
  >
    <div className="stack gap-4">
      <Tabs label="Show">
        <Tab href="#gallery" current>
          All
        </Tab>
        <Tab href="#gallery">
          Needs help <Count n={2} of="waiting" />
        </Tab>
        <Tab href="#gallery">In progress</Tab>
        <Tab href="#gallery">Completed</Tab>
      </Tabs>
      <WorkTable
        caption="Consultations"
        columns={[
          { says: 'ID', className: 'w-24' },
          { says: 'Status', className: 'w-40' },
          { says: 'Owner and pet' },
          { says: 'Start', className: 'w-52', href: '#gallery', sorted: 'descending' },
          { says: 'Action', className: 'w-40', unseen: true },
        ]}
      >
        {consultations.map((row) => (
          <WorkRow key={row.id} hot={row.late}>
            <WorkCell className="text-ink-soft tabular-nums cards:order-3">{row.id}</WorkCell>
            <WorkCell className="cards:order-2">
              <Badge tone={row.tone}>{row.state}</Badge>
            </WorkCell>
            <WorkCell className="cards:order-1 cards:col-span-2">
              <span className="block font-semi">{row.user}</span>
              <span className="text-14 text-ink-soft">{row.pet}</span>
            </WorkCell>
            <WorkCell className="tabular-nums cards:order-4 cards:col-span-2">
              <span className="block">{row.start}</span>
              <span className="text-14 text-ink-soft">{row.wait}</span>
            </WorkCell>
            <WorkCell className="cards:order-5 cards:col-span-3">
              <LinkButton href="#gallery" size={36} variant={row.tone === 'amber' ? 'soft' : 'line'}>
                Open case<span className="sr-only"> {row.id}</span>
              </LinkButton>
            </WorkCell>
          </WorkRow>
        ))}
      </WorkTable>
      <Pager label="Pages of consultations" page={4} pages={12} href={(page) => `#page-${page}`} />
    </div>
  </Section>
)

const MyPets = ({ action, children }: { action?: ReactNode; children: ReactNode }) => (
  <Card flush>
    <CardHead action={action}>
      <h3 className="t22">My pets</h3>
    </CardHead>
    {children}
  </Card>
)

const States = () => (
  <Section
    title="Loading, empty, failed"
    about="Skeletons have the final size, so nothing jumps. Each state says what to do."
  >
    <div className="stack gap-6 lg:grid-cols-[repeat(3,minmax(0,1fr))]">
      <MyPets>
        <SkeletonRows label="Loading your pets" />
      </MyPets>
      <MyPets
        action={
          <Button variant="text" size={44} icon="plus">
            Add pet
          </Button>
        }
      >
        <Empty
          scene="empty-no-pets"
          title="No pets yet"
          action={
            <LinkButton href="#gallery" variant="primary">
              Add a pet
            </LinkButton>
          }
        >
          Add the first, and a vet knows them before the first word.
        </Empty>
      </MyPets>
      <MyPets>
        <Failed what="your pets" onRetry={() => {}} />
      </MyPets>
    </div>
  </Section>
)

const Moving = () => (
  <Section title="Accordion and progress">
    <Halves>
      <Accordion>
        <Question name="g" question="Can this wait until morning?" open>
          <p>Ask. That’s the most common question of the night, and vets like answering it.</p>
        </Question>
        <Question name="g" question="What should I have ready?">
          <p>Your pet’s weight, medicines, and a photo or short video.</p>
        </Question>
      </Accordion>
      <Column>
        <Progress label="Sending photo 1 of 2" value={60} far="60%" />
        <Progress label="A vet is on the way" value={6} max={20} far="about 6 of 20 minutes" tone="amber" />
        <p className="flex items-center gap-3">
          <Spinner className="text-green" />
          Taking the payment. Don’t close this page.
        </p>
      </Column>
    </Halves>
  </Section>
)
